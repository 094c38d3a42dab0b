struct P { x, y: f32 }
kernel subscript(x: f32[n], out y: f32[n]) {
	compact y[i] = x[i] where x[i] > 0;
}
kernel field(x: f32[n], out p: P[n]) {
	compact p.x = x[i] where x[i] > 0;
}
kernel scalar(x: f32[n], out y: f32) {
	compact y = x[i] where x[i] > 0;
}
kernel plane(x: f32[n], out y: f32[n, n]) {
	compact y = x[i] where x[i] > 0;
}
kernel counted(x: f32[n], out y: f32[n], out k: u64) {
	compact y, k = x[i] where x[i] > 0;
}
kernel counts(x: f32[n], out y: f32[n], out z: f32[n]) {
	compact y, z = x[i] where x[i] > 0;
}
kernel input(x: f32[n], y: f32[n]) {
	compact y = x[i] where x[i] > 0;
}
kernel again(x: f32[n], out y: f32[n]) {
	compact y = x[i] where x[i] > 0 else y;
}
kernel narrow(x: f32[n], out y: i32[n]) {
	compact y = x[i] where x[i] > 0;
}
kernel narrow_else(x: i32[n], out y: i32[n], out z: i16[n]) {
	compact y = x[i] where x[i] > 0 else z;
}
