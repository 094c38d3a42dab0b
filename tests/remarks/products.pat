// patc --target=cuda
// Products: maps in front of them and behind them.
kernel layers(x: f32[n, l], w: f32[l, m], s: f32[l], b: f32[m], inout y: f32[n, m], out z: f32[n, m], out d: f32[n], out h: f32[n, m]) {
	let u: f32[n, l];
	let p: f32[n, m];
	let q: f32[n, m];
	let r: f32[n, m];
	let t: f32[n, m];
	scaled: map u[i, k] = s[k] * x[i, k];
	dense: matmul p[i, j] = sum[k](u[i, k] * w[k, j]);
	bias: map y[i, j] = p[i, j] + b[j];
	twice: matmul q[i, j] = sum[k](x[i, k] * w[k, j]);
	square: map z[i, j] = q[i, j] * q[i, j];
	exact: matmul r[i, j] = sum[k](x[i, k] * w[k, j]) strict;
	rest: map h[i, j] = r[i, j] + 1;
	turned: matmul t[i, j] = sum[k](x[i, k] * w[k, j]);
	total: reduce d[i] = sum[j](t[i, j]);
}
