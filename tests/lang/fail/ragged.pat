// What data decide is tested when it runs; the rest is an error here.
op last(a: f32, b: f32) -> f32 = b associative;
kernel f(off: i32[m], x: f32[n], out y: f32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]);
}
kernel g(off: i32[m+1], x: f32[n], out y: f32[m]) {
	reduce y[r] = last[e in off[r]..off[r+1]](x[e]);
}
kernel h(off: i32[m+1], x: f32[n], inout y: f32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](y[e]);
}
kernel both(off: i32[m+1], x: f32[n], out y: f32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]) drop trusted;
}
kernel bounds(off: f32[m+1], x: f32[n], out y: f32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]);
}
