// patc --target=cuda
// Products: maps in front of them and behind them.
kernel layers(x: f32[n, l], w: f32[l, m], s: f32[l], b: f32[m], inout y: f32[n, m], out z: f32[n, m], out d: f32[n], out h: f32[n, m], inout g: f32[n, m]) {
	let u: f32[n, l];
	let p: f32[n, m];
	let q: f32[n, m];
	let r: f32[n, m];
	let t: f32[n, m];
	let v: f32[n, m];
	scaled: map u[i, k] = s[k] * x[i, k];
	dense: matmul p[i, j] = sum[k](u[i, k] * w[k, j]);
	bias: map y[i, j] = p[i, j] + b[j];
	twice: matmul q[i, j] = sum[k](x[i, k] * w[k, j]);
	square: map z[i, j] = q[i, j] * q[i, j];
	apart: matmul v[i, j] = sum[k](x[i, k] * w[k, j]);
	some: map g[i, j] = v[i, j] for i in 1..n;
	exact: matmul r[i, j] = sum[k](x[i, k] * w[k, j]) strict;
	rest: map h[i, j] = r[i, j] + 1;
	turned: matmul t[i, j] = sum[k](x[i, k] * w[k, j]);
	total: reduce d[i] = sum[j](t[i, j]);
}

// which of them tiles can compute, and why not the others
kernel kinds(x: f32[n, l], w: f32[l, m], v: f32[l], b: bool[l, m], h: i32[n, l], g: i32[l, m], t: f32[n, l, m], k: i32[n], out y: f32[n, m], out z: f32[n], out a: i64[n, m], out c: i64[n, m], out d: f32[n, m, 4]) {
	vector: matmul z[i] = sum[e](x[i, e] * v[e]);
	place: matmul a[i, j] = argmin[e](x[i, e] + w[e, j]);
	masked: matmul y[i, j] = sum[e where e % 2 == 0](x[i, e] * w[e, j]);
	counts: matmul c[i, j] = count[e](x[i, e] > w[e, j]);
	flags: matmul c[i, j] = sum[e](i64(h[i, e]) * (b[e, j] ? 1 : 0));
	several: matmul y[i, j] = sum[e](x[i, e] * w[e, j] + f32(h[i, e]));
	shared: matmul y[i, j] = sum[e](x[i, e] * w[e, j] * v[e]);
	both: matmul y[i, j] = sum[e](x[i, e] * t[i, e, j]);
	triangle: matmul y[i, j] = sum[e in 0..min(i, l)](x[i, e] * w[e, j]);
	batch: matmul d[i, j, q] = sum[e](x[i, e] * w[e, j]);
	apart: matmul y[i, j] = sum[e in 0..l/2](x[i, 2*e] * w[2*e, m-1-j]);
	below: matmul y[i, j] = sum[e](x[i + 1, e] * w[e, j]) where i < n - 1;
	data: matmul y[i, j] = sum[e](x[k[i], e] * w[e, j]) drop;
}
kernel many(x: f32[s, 4, 4], w: f32[s, 4, 4], out y: f32[s, 4, 4], u: f32[s, 4, 1000], v: f32[s, 1000, 4], a: f32[4, 4], b: f32[4, 4], out c: f32[4, 4]) {
	tiny: matmul y[q, i, j] = sum[k](x[q, i, k] * w[q, k, j]);
	deep: matmul y[q, i, j] = sum[k](u[q, i, k] * v[q, k, j]);
	single: matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
}
kernel pinned(x: f32[n, l], w: f32[l, m], out y: f32[n, m], out z: f32[n, m]) {
	small: matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
	cached: matmul z[i, j] = sum[k](x[i, k] * w[k, j]);
}
schedule pinned for cuda { stage shared; small: tile 64 x 64, vector 2; cached: stage l1; }
kernel held(x: f32[n, l], w: f32[l, m], out y: f32[n, m]) {
	matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
}
schedule held for cuda { stage registers, tile 32 x 32; }
kernel folded(A: f32[n, l], B: f32[l, m], out high: f32[n], out all: f32, out low: f32[m], F: f32[n, 4, 4], out small: f32[n, 4]) {
	let C: f32[n, m];
	matmul C[i, j] = sum[k](A[i, k] * B[k, j]);
	reduce high[i] = max[j](C[i, j]);
	reduce all = sum[i, j](C[i, j]);
	let D: f32[n, m];
	matmul D[i, j] = sum[k](A[i, k] * B[k, j]);
	reduce low[j] = min[i in 1..n](D[i, j]);
	let E: f32[n, 4, 4];
	matmul E[q, i, j] = sum[k](F[q, i, k] * F[q, k, j]);
	reduce small[q, i] = sum[j](E[q, i, j]);
}
kernel plainly(x: f32[n, l], w: f32[l, m], out d: f32[n], out e: f32[n, m]) {
	let p: f32[n, m];
	textbook: matmul p[i, j] = sum[k](x[i, k] * w[k, j]);
	reduce d[i] = max[j](p[i, j]);
	strips: matmul e[i, j] = sum[k](x[i, k] * w[k, j]);
}
schedule plainly for cuda { textbook: tile 16 x 16; strips: tile 128 x 16; }
kernel units(a: bf16[n, l], b: bf16[m, l], out c: f32[n, m]) {
	units: matmul c[i, j] = sum[k](a[i, k] * b[j, k]);
}
kernel rounded(a: f32[n, l], b: f32[l, m], c: f32[m, l], out d: f32[n], out e: f32[n, m], out f: f32[n]) {
	let p: f32[n, m];
	turned: matmul p[i, j] = sum[k](a[i, k] * b[k, j]) precision tf32;
	reduce d[i] = max[j](p[i, j]);
	along: matmul e[i, j] = sum[k](a[i, k] * c[j, k]) precision tf32;
	reduce f[i] = max[j](e[i, j]);
}
