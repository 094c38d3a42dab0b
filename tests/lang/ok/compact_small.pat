// Cells of one or two bytes, which are stored as vectors too.  The kernels are called like
// what the driver that compares them might call its own.
kernel bytes(x: u8[n], out y: u8[n], out k: i64) {
	compact y, k = x[i] where x[i] % 2 == 0;
}
kernel w(x: bool[n], h: f16[n], out y: bool[n], out g: f16[m], out z: bool[n], out v: bf16[n], out k: i64) {
	compact y, k = x[i], g = h[i] where x[i] && h[i] > 0;
	compact z = !x[i], v = bf16(f32(h[i])) where !x[i];
}
kernel p(x: i16[n], out y: i16[n], out z: i32[n], out k: i64) {
	compact y, k = x[i] where x[i] > 3 else z;
}
