// Long systems that lie beside one another, whose strips are solved by threads: as many as a warp has lanes, one more, and
// more; rows that fill strips of one, two and three levels, one more and one less; boundaries, guards, rings, zero pivots;
// with pivots the rows that the interpreter inverts, and more.
kernel strips_rows(a: f32[300, 33], c: f32[300, 33], d: f32[300, 33], out x: f32[300, 33]) {
	solve x[i, s] in a[i, s] * x[i-1, s] + (abs(a[i, s]) + abs(c[i, s]) + 1) * x[i, s]
		+ c[i, s] * x[i+1, s] = d[i, s]
		boundary 0;
}
kernel strips_whole(d: f32[288, 32], e: f32[257, 32], f: f64[144, 40], g: f64[129, 65],
                    out x: f32[288, 32], out y: f32[257, 32],
		out z: f64[144, 40], out w: f64[129, 65]) {
	solve x[i, s] in 3 * x[i, s] - x[i-1, s] + x[i+1, s] = d[i, s] boundary 0;
	solve y[i, s] in 3 * y[i, s] - y[i-1, s] + y[i+1, s] = e[i, s] boundary (2);
	solve z[i, s] in 3 * z[i, s] - z[i-1, s] + z[i+1, s] = f[i, s] boundary clamp;
	solve w[i, s] in (i > 0 ? w[i-1, s] : 0) + 3 * w[i, s]
		+ (i < 128 ? abs(g[i, 0]) / (1 + abs(g[i, 0])) * w[i+1, s] : 0) = g[i, s];
}
kernel strips_levels(d: f32[1025, 32], e: f64[257, 32], out x: f32[1025, 32], out y: f64[257, 32]) {
	solve x[i, s] in 2.25 * x[i, s] - x[i-1, s] - x[i+1, s] = d[i, s] boundary 0;
	solve y[i, s] in 2.25 * y[i, s] + y[i-1, s] + y[i+1, s] = e[i, s] boundary 0;
}
kernel strips_one_side(d: f32[260, 32], out x: f32[260, 32], out y: f32[260, 32]) {
	solve x[i, s] in 0.5 * x[i-1, s] + x[i, s] = d[i, s] boundary 0;
	solve y[i, s] in y[i, s] / 2 - 0.25 * y[i+1, s] = d[i, s] + 1 boundary 0;
}
kernel strips_ring(u: f32[289, 34], r: f32, out x: f32[289, 34]) {
	solve x[i, s] in x[i, s] - abs(r) * (x[i-1, s] - 2 * x[i, s] + x[i+1, s]) = u[i, s]
		boundary wrap;
}
kernel strips_middle(d: f32[2, 270, 17], out x: f32[2, 270, 17]) {
	solve x[a, i, b] in 4 * x[a, i, b] + x[a, i-1, b] - x[a, i+1, b] = d[a, i, b] boundary 0;
}
kernel strips_zero(d: f32[260, 34], out x: f32[260, 34]) {
	solve x[i, s] in (s == 33 && i == 0 ? 0 : 4) * x[i, s] - x[i-1, s] - x[i+1, s] = d[i, s]
		boundary 0;
}
kernel strips_pivots(a: f32[150, 33], b: f32[150, 33], c: f32[150, 33], d: f32[150, 33],
                     out x: f32[150, 33]) {
	solve x[i, s] in a[i, s] * x[i-1, s] + b[i, s] * x[i, s] + c[i, s] * x[i+1, s] = d[i, s]
		boundary 0 pivot;
}
kernel strips_pivots_f64(a: f64[49, 32], b: f64[49, 32], c: f64[49, 32], d: f64[49, 32],
                         e: f64[33, 32], out x: f64[49, 32],
		out y: f64[33, 32]) {
	solve x[i, s] in a[i, s] * x[i-1, s] + b[i, s] * x[i, s] + c[i, s] * x[i+1, s] = d[i, s]
		boundary 0 pivot;
	solve y[i, s] in 2 * y[i-1, s] + (i % 3 == 1 ? 0 : 1) * y[i, s] + 3 * y[i+1, s] = e[i, s]
		boundary (1) pivot;
}
kernel strips_exchanged(d: f32[128, 32], e: f32[129, 34], f: f32[144, 32], g: f32[255, 32],
                        out x: f32[128, 32], out y: f32[129, 34],
		out z: f32[144, 32], out w: f32[255, 32]) {
	solve x[i, s] in x[i-1, s] + (i % 2 == 0 ? 0 : 3) * x[i, s]
		+ (i % 3 == 1 ? 2 : 0.5) * x[i+1, s] = d[i, s] boundary 0 pivot;
	solve y[i, s] in 3 * y[i-1, s] + y[i, s] - y[i+1, s] = e[i, s] boundary clamp pivot;
	solve z[i, s] in (i > 0 ? 4 * z[i-1, s] : 0) + z[i, s] + (i < 143 ? z[i+1, s] : 0) = f[i, s]
		pivot;
	solve w[i, s] in (1 + abs(e[0, s])) * w[i-1, s] + 0.125 * w[i, s] + 2 * w[i+1, s] = g[i, s]
		boundary 0 pivot;
}
// dominant, so that the interpreter has bounds of so many rows: strips of three levels
kernel strips_long(d: f32[1041, 32], e: f64[140, 32], out x: f32[1041, 32], out y: f64[140, 32]) {
	solve x[i, s] in x[i-1, s] + 4 * x[i, s] - x[i+1, s] = d[i, s] boundary 0 pivot;
	solve y[i, s] in 2 * y[i-1, s] + 5 * y[i, s] + y[i+1, s] = e[i, s] boundary 0 pivot;
}
kernel strips_singular(d: f32[200, 33], out x: f32[200, 33]) {
	solve x[i, s] in (s == 31 && i == 1 ? 0 : 1) * x[i-1, s]
		+ (i == 0 && s == 31 ? 0 : 4) * x[i, s] + x[i+1, s] = d[i, s]
		boundary 0 pivot;
}
kernel strips_steps(inout u: f32[n, 32], steps: i32) {
	let half: f32[n, 32];
	repeat t < steps {
		solve half[i, j] in 3 * half[i, j] - half[i-1, j] - half[i+1, j] = 0.5 * u[i, j]
			boundary 0;
		solve u[i, j] in 3 * u[i, j] - u[i-1, j] - u[i+1, j] = half[i, j] boundary 0 pivot;
	}
}
