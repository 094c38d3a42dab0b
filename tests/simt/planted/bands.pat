// block tridiagonal systems that strips cut: pairs of equations, the last one alone, that are exchanged; of three levels
kernel bands(a: f64[9001], d: f64[9001], out x: f64[9001]) {
	solve x[i] in clamp(a[i], -1, 1) / 4 * x[i-2] + (i % 2 == 1 ? 5 : 0.25) * x[i-1]
		+ (i == 9000 ? 5 : clamp(a[i], -1, 1) / 8) * x[i] + (i % 2 == 0 ? 5 : 0.5) * x[i+1] + x[i+2] = d[i] boundary 0;
}
struct Couple { u: f32, v: f32 }
kernel couples(a: f32[140, 3], d: Couple[140, 3], out x: Couple[140, 3]) {
	solve x[i, s] in Couple(6 * x[i, s].u + clamp(a[i, s], -1, 1) * x[i-1, s].v - x[i+1, s].u + x[i, s].v,
		7 * x[i, s].v - x[i-1, s].u + x[i-1, s].v + 2 * x[i+1, s].v) = d[i, s] boundary Couple(0, 0);
}
// a ring, folded: its middle is a cell of its own
kernel closed(a: f32[2, 1001], d: f32[2, 1001], out x: f32[2, 1001]) {
	solve x[s, i] in clamp(a[s, i], -1, 1) * x[s, i-2] - x[s, i-1] + 7 * x[s, i] + x[s, i+1] - 2 * x[s, i+2] = d[s, i] boundary wrap;
}
