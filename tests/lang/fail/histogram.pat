kernel plain(x: u8[n], inout h: i32[256]) {
	histogram h[x[i]] = 1;
}
kernel real(x: f32[n], inout h: i32[256]) {
	histogram h[x[i]] += 1;
}
kernel one(x: u8[n], inout h: i32) {
	histogram h += 1 for i in 0..n;
}
kernel old(x: u8[n], inout h: i32[256]) {
	histogram h[x[i]] += h[0];
}
kernel unordered(x: u8[n], inout h: f32[256]) {
	histogram h[x[i]] /= 2;
}
kernel unread(x: u8[n], out h: i32[256]) {
	histogram h[x[i]] += 1;
}
