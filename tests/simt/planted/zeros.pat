kernel zeros(b: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in x[s, i-1] + (b[s, i] == 0 ? 0 : 4 + abs(b[s, i])) * x[s, i] + x[s, i+1] = d[s, i] boundary 0;
}
kernel third(d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in (s % 3 == 2 && i == 0 ? 0 : 4) * x[s, i] - x[s, i-1] - x[s, i+1] = d[s, i] boundary 0;
}
kernel across(d: f64[33, 2100], out x: f64[33, 2100]) {
	solve x[i, s] in (s >= 2001 && i == 0 ? 0 : 4) * x[i, s] - x[i-1, s] - x[i+1, s] = d[i, s] boundary 0;
}
kernel lanes_zero(a: f64[m, 9, 9], d: f64[m, 9], out x: f64[m, 9]) {
	solve x[k, i] in sum[j]((k >= 1 && j == 0 ? 0 : (i == j ? 9 : 0) + clamp(a[k, i, j], -1, 1)) * x[k, j]) = d[k, i];
}
kernel zero_chunk(d: f64[4, 1025], out x: f64[4, 1025]) {
	solve x[s, i] in (s >= 2 && i == 0 ? 0 : 4) * x[s, i] - x[s, i-1] + (s == 3 && i == 0 ? 0 : 1) * x[s, i+1] = d[s, i]
		boundary 0 pivot;
}
kernel zero_ring(b: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in x[s, i-1] + (s % 3 == 1 ? 0 : 4) * x[s, i] + (b[s, i] == 0 ? 1 : 0.5) * x[s, i+1] = d[s, i] boundary wrap;
}
