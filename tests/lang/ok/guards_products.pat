// Products whose operands only a condition keeps inside.
kernel left(a: f32[p, q], b: f32[q, m], out y: f32[n, m]) { matmul y[i, j] = i < p ? sum[k](a[i, k] * b[k, j]) : 1; }
kernel left_back(a: f32[n, q], b: f32[q, m], out y: f32[n, m]) { matmul y[i, j] = i > 0 ? sum[k](a[i-1, k] * b[k, j]) : 1; }
kernel right(a: f32[n, q], b: f32[q, l], out y: f32[n, m]) { matmul y[i, j] = j < l ? sum[k](a[i, k] * b[k, j]) : 0; }
kernel within(a: f32[p, q], b: f32[q, m], out y: f32[n, m]) { matmul y[i, j] = sum[k in 0..q]((i < p ? a[i, k] : 0) * b[k, j]); }
kernel masked(a: f32[p, q], b: f32[q, m], inout y: f32[n, m]) { matmul y[i, j] = sum[k](a[i, k] * b[k, j]) where i < p; }
kernel masked_terms(a: f32[n, q], b: f32[l, m], out y: f32[n, m]) { matmul y[i, j] = sum[k in 0..q where k < l](a[i, k] * b[k, j]); }
kernel bias(a: f32[n, q], b: f32[q, m], c: f32[p], d: f32[l], out y: f32[n, m]) {
	matmul y[i, j] = sum[k](a[i, k] * b[k, j]) + (i < p ? c[i] : 0) + (j < l ? d[j] : 0);
}
kernel bias_before(a: f32[n, q], b: f32[q, m], c: f32[n, m], out y: f32[n, m]) {
	matmul y[i, j] = sum[k](a[i, k] * b[k, j]) + (i > 0 ? c[i-1, j] : 0);
}
kernel prologue(x: f32[p, q], b: f32[q, m], out y: f32[n, m]) {
	let a: f32[n, q];
	map a[i, k] = i < p ? x[i, k] : 0;
	matmul y[i, j] = sum[k](a[i, k] * b[k, j]);
}
kernel prologue_short(x: f32[p, q], b: f32[q, m], out y: f32[n, m]) {
	let a: f32[p, q];
	map a[i, k] = x[i, k] * 2;
	matmul y[i, j] = i < p ? sum[k](a[i, k] * b[k, j]) : 0;
}
kernel epilogue(a: f32[n, q], b: f32[q, m], c: f32[p, m], out y: f32[n, m]) {
	let z: f32[n, m];
	matmul z[i, j] = sum[k](a[i, k] * b[k, j]);
	map y[i, j] = i < p ? z[i, j] + c[i, j] : z[i, j];
}
kernel batch(a: f32[p, n, q], b: f32[l, q, m], out y: f32[l, n, m]) {
	matmul y[z, i, j] = z < p ? sum[k](a[z, i, k] * b[z, k, j]) : 0;
}
kernel batch_small(a: f32[p, 4, 4], b: f32[l, 4, 4], out y: f32[l, 4, 4]) {
	matmul y[z, i, j] = z < p ? sum[k](a[z, i, k] * b[z, k, j]) : 0;
}
kernel batch_small_masked(a: f32[p, 4, 4], b: f32[l, 4, 4], inout y: f32[l, 4, 4]) {
	matmul y[z, i, j] = sum[k](a[z, i, k] * b[z, k, j]) where z < p;
}
kernel batch_prev(a: f32[l, n, q], b: f32[l, q, m], out y: f32[l, n, m]) {
	matmul y[z, i, j] = z > 0 ? sum[k](a[z-1, i, k] * b[z, k, j]) : 0;
}
kernel vector(a: f32[p, q], b: f32[q], out y: f32[n]) { matmul y[i] = i < p ? sum[k](a[i, k] * b[k]) : 0; }
kernel halves(a: f16[p, q], b: f16[m, q], out y: f32[n, m]) {
	matmul y[i, j] = i < p ? sum[k](f32(a[i, k]) * f32(b[j, k])) : 0;
}
kernel steps(a: f32[n, n], inout h: f32[t, n, n]) {
	repeat s < t { matmul h[s, i, j] = s > 0 ? sum[k](a[i, k] * h[s-1, k, j]) : a[i, j]; }
}
kernel paths(d: i32[p, n], w: i32[n, n], inout e: i32[n, n]) {
	matmul e[i, j] = min[k in 0..n]((k < p ? d[k, j] : 100) + w[i, k]);
}
kernel nearest(a: f32[p, l], b: f32[m, l], out at: i64[n], out d: f32[n]) {
	let z: f32[n, m];
	matmul z[i, j] = i < p ? sum[k]((a[i, k] - b[j, k]) * (a[i, k] - b[j, k])) : 0;
	reduce d[i], at[i] = argmin[j](z[i, j]);
}
