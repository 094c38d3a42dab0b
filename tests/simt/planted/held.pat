// held.pat - rows held in registers: three arrays, several warps a row, a temporary that is not
// stored.
kernel held(x: f32[n, 516], w: f32[n, 516], out y: f32[n, 516], out t: f32[n]) {
	let s: f32[n];
	let d: f32[n, 516];
	reduce s[i] = sum[j](x[i, j] * w[i, j]);
	map d[i, j] = x[i, j] - s[i];
	reduce t[i] = max[j](d[i, j] * w[i, j]);
	map y[i, j] = d[i, j] * w[i, j] - t[i] * x[i, j];
}
