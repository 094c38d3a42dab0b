// Systems along the last axis and across it, of any length; a way for each.
kernel along(a: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in a[s, i] * x[s, i-1] + 4 * x[s, i] + x[s, i+1] = d[s, i] boundary 0;
}
kernel across(d: f32[n, m], e: f64[n, m], out x: f32[n, m], out y: f64[n, m]) {
	solve x[i, s] in 4 * x[i, s] + x[i+1, s] = d[i, s] boundary 0;
	solve y[i, s] in 4 * y[i, s] + y[i+1, s] = e[i, s] boundary 0;
}

kernel dense(a: f32[m, 6, 6], d: f32[m, 6], b: f64[2, 2, m], e: f64[2, m], out x: f32[m, 6], out y: f64[2, m]) {
	solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i];
	solve y[i, k] in sum[j](b[i, j, k] * y[j, k]) = e[i, k];
}
kernel around(d: f32[m, 300], out x: f32[m, 300]) {
	solve x[s, i] in 4 * x[s, i] + x[s, i-1] + x[s, i+1] = d[s, i] boundary wrap;
}
kernel exchanged(b: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in b[s, i] * x[s, i] + x[s, i-1] + x[s, i+1] = d[s, i] boundary 0 pivot;
}
kernel exchanged_across(d: f32[n, m], e: f64[n, m], out x: f32[n, m], out y: f64[n, m]) {
	solve x[i, s] in x[i-1, s] + x[i, s] + x[i+1, s] = d[i, s] boundary 0 pivot;
	solve y[i, s] in y[i-1, s] + y[i, s] + y[i+1, s] = e[i, s] boundary 0 pivot;
}
struct Two { u, v: f32 }
kernel wide(u: f32[m, n], d: Two[m, n], out x: f32[m, n], out y: Two[m, n]) {
	solve x[s, i] in x[s, i-2] - 4 * x[s, i-1] + 11 * x[s, i] - 4 * x[s, i+1] + x[s, i+2] = u[s, i] boundary 0;
	solve y[s, i] in Two(4 * y[s, i].u + y[s, i-1].v, 3 * y[s, i].v - y[s, i+1].u) = d[s, i] boundary (Two(0, 0));
}
