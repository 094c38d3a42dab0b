// strips of rows that begin beside a multiple of 16 bytes; a strip whose rows are all there, one with two
kernel relaxed(inout a: f32[132, 164]) {
	wavefront a[i, j] = (a[i, j] + a[i, j-1] + a[i-1, j] + a[i+1, j] + a[i, j+1]) / 5 for i in 1..131, j in 1..163;
}
kernel later(q: i16[128], d: i16[148], p: u8[128, 148], inout h: i16[128, 148]) {
	wavefront h[i, j] = max(h[i, j-2] - 2, h[i-1, j-1] + (q[i] == d[j] ? i16(p[i, j]) : -1), h[i-1, j] - 1)
		for i in 0..128, j in 5..148 boundary 0;
}
kernel far(p: i32[9, 7], out a: i32[9, 7]) {
	wavefront a[i, j] = p[i, j] + a[i-3, j-1] - 3 * a[i, j-5] + a[i-1, j-2] boundary i32(i - j);
}
kernel deep(p: i32[9, 7], out a: i32[9, 7]) {
	wavefront a[i, j] = p[i, j] + a[i-5, j] - a[i-1, j] boundary 3;
}
// Six columns of doubles beside rings and pieces: the strips are lower, for all of it has to fit into shared memory.
kernel beside(p1: f64[n], p2: f64[n], p3: f64[n], p4: f64[n], p5: f64[n], p6: f64[n], inout a: f32[m, n])
{
	wavefront a[i, j] = (a[i, j] + a[i, j-1] + a[i-1, j] + a[i+1, j] + a[i, j+1]) / 5
	                  + f32(p1[j] + p2[j] * p3[j] - p4[j] * p5[j] + p6[j]) for i in 1..m-1, j in 1..n-1;
}
