// Dense systems whose entries are in structs, in padded rows and in columns; under a condition.
struct Entry { v: f32, w: f32 }
kernel padded(a: f32[m, 5, 5] layout row(ld), d: f32[m, 5], out x: f32[m, 5]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel in_parts(p: Entry[m, 4, 4] layout soa, q: Entry[m, 9, 9], out x: f32[m, 4] layout col, out y: f32[m, 9]) {
	solve x[k, i] in sum[j](p[k, i, j].v * x[k, j]) = p[k, i, i].w;
	solve y[k, i] in sum[j](q[k, i, j].v * y[k, j]) = q[k, 0, i].w;
}
kernel in_blocks(p: Entry[m, 9, 9] layout aosoa(8), out y: f32[m, 9]) {
	solve y[k, i] in sum[j](p[k, i, j].v * y[k, j]) = p[k, 0, i].w;
}
kernel perhaps(a: f64[m, 7, 7], d: f64[m, 7], n: i32, inout x: f64[m, 7]) {
	if n > 3 { solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i]; }
}
kernel by_columns(a: f32[m, 6, 6] layout col, d: f32[m, 6] layout col, out x: f32[m, 6] layout col) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
}
kernel beside_columns(a: f32[6, 6, m] layout col, d: f32[6, m] layout col, out x: f32[6, m] layout col) {
	solve x[i, k] in sum[j](a[j, i, k] * x[j, k]) = d[i, k];
}
// what an entry and a right side have in common; sums inside an entry
kernel in_common(a: f64[m, 3, 3], b: f32[m, 6, 6], w: f64[m], d: f64[m, 3], out x: f64[m, 3], out y: f32[m, 6]) {
	solve x[k, i] in sum[j]((cos(w[k] * f64(i)) + a[k, i, j] / w[k] + (i == j ? 5 : 0)) * x[k, j]) =
		d[k, i] / w[k] + cos(w[k] * f64(i));
	solve y[k, i] in sum[j]((exp(b[k, 0, 0]) + 7 + b[k, i, j]) * y[k, j]) + (exp(b[k, 0, 0]) * b[k, i, 0]) * y[k, i] =
		exp(b[k, 0, 0]);
}
kernel products(g: f32[m, 5, 20], d: f32[m, 5], out x: f32[m, 5]) {
	solve x[k, i] in sum[j](sum[s](g[k, i, s] * g[k, j, s]) * x[k, j]) + x[k, i] = sum[s](g[k, i, s]) * d[k, i]
		symmetric positive;
}
