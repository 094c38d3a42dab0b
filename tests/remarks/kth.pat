// A value by its place: long sequences, few and many, short ones.
kernel places(x: f32[n], y: f32[m, n], z: f32[m, 100], w: f32[m, 3000], k: i64, out a: f32, out b: f32[m], out c: f32[m], out d: f32[m]) {
	reduce a = kth[i](x[i], k);
	reduce b[i] = kth[j](y[i, j], k);
	reduce c[i] = kth[j](z[i, j], 50);
	reduce d[i] = kth[j](w[i, j] * 2, 50);
}
