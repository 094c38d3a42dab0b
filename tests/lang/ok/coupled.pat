// Two fields that step together: in place on staggered grids, and reacting with each other.
kernel coupled(u: f32, inout a: f32[n, m], inout b: f32[n, m], k: i32) {
	let na: f32[n, m];
	let nb: f32[n, m];
	repeat t < k {
		stencil na[i, j] = a[i, j] + 0.1 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1] - 4 * a[i, j]) - a[i, j] * b[i, j] * b[i, j] + u * (1 - a[i, j]),
		        nb[i, j] = b[i, j] + 0.05 * (b[i-1, j] + b[i+1, j] + b[i, j-1] + b[i, j+1] - 4 * b[i, j]) + a[i, j] * b[i, j] * b[i, j] - (u + 0.06) * b[i, j] boundary wrap;
		map na[i, j] = clamp(na[i, j], -2, 2), nb[i, j] = clamp(nb[i, j], -2, 2);
		swap a, na;
		swap b, nb;
	}
}
kernel maxwell(inout e: f64[n], inout h: f64[n-1], steps: i64) {
	repeat t < steps {
		stencil h[i] += 0.5 * (e[i+1] - e[i]);
		stencil e[i] += 0.5 * (h[i] - h[i-1]) for i in 1..n-1;
	}
}
