// evolve.pat - loops of stencils: what several passes a visit of memory bring (evolving.cu).
kernel evolve_five(steps: i64, inout a: f32[n, m]) {
	let b: f32[n, m];
	map b[i, j] = a[i, j];
	repeat t < steps {
		stencil b[i, j] = 0.1 * a[i-1, j] + 0.2 * a[i, j-1] + 0.3 * a[i, j]
			+ 0.15 * a[i, j+1] + 0.25 * a[i+1, j]
			boundary keep;
		swap a, b;
	}
}
// There and back: a pass makes two steps.
kernel evolve_back(steps: i64, inout a: f32[n, m]) {
	let b: f32[n, m];
	map b[i, j] = a[i, j];
	repeat t < steps / 2 {
		stencil b[i, j] = 0.1 * a[i-1, j] + 0.2 * a[i, j-1] + 0.3 * a[i, j]
			+ 0.15 * a[i, j+1] + 0.25 * a[i+1, j]
			boundary keep;
		stencil a[i, j] = 0.1 * b[i-1, j] + 0.2 * b[i, j-1] + 0.3 * b[i, j]
			+ 0.15 * b[i, j+1] + 0.25 * b[i+1, j]
			boundary keep;
	}
}
// Gauss and Seidel's, in place: half of the cells, then the others.
kernel evolve_red_black(steps: i64, inout a: f32[n, m]) {
	repeat t < steps {
		stencil a[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			for i in 1..n-1, j in 1..m-1 where (i + j) % 2 == 0;
		stencil a[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			for i in 1..n-1, j in 1..m-1 where (i + j) % 2 == 1;
	}
}
kernel evolve_five_f64(steps: i64, inout a: f64[n, m]) {
	let b: f64[n, m];
	map b[i, j] = a[i, j];
	repeat t < steps {
		stencil b[i, j] = 0.1 * a[i-1, j] + 0.2 * a[i, j-1] + 0.3 * a[i, j]
			+ 0.15 * a[i, j+1] + 0.25 * a[i+1, j]
			boundary keep;
		swap a, b;
	}
}
kernel evolve_nine(steps: i64, inout a: f32[n, m]) {
	let b: f32[n, m];
	repeat t < steps {
		stencil b[i, j] = sum[p in -1..2, q in -1..2](a[i+p, j+q]) / 9 boundary clamp;
		swap a, b;
	}
}
kernel evolve_gradient(steps: i64, inout a: f32[n, m]) {
	let b: f32[n, m];
	map b[i, j] = a[i, j];
	repeat t < steps {
		stencil b[i, j] = a[i, j]
			+ rsqrt(0.0001 + (a[i, j] - a[i-1, j]) * (a[i, j] - a[i-1, j])
			+ (a[i, j] - a[i+1, j]) * (a[i, j] - a[i+1, j])
				+ (a[i, j] - a[i, j-1]) * (a[i, j] - a[i, j-1])
			+ (a[i, j] - a[i, j+1]) * (a[i, j] - a[i, j+1])) boundary keep approx;
		swap a, b;
	}
}
// Gray and Scott's two substances.
kernel evolve_pair(steps: i64, inout u: f32[n, m], inout v: f32[n, m]) {
	let u2: f32[n, m];
	let v2: f32[n, m];
	repeat t < steps {
		stencil u2[i, j] = u[i, j]
			+ 0.16 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4 * u[i, j])
			- u[i, j] * v[i, j] * v[i, j] + 0.035 * (1 - u[i, j]),
			v2[i, j] = v[i, j] + 0.08
				* (v[i-1, j] + v[i+1, j] + v[i, j-1] + v[i, j+1] - 4 * v[i, j])
			+ u[i, j] * v[i, j] * v[i, j] - 0.1 * v[i, j] boundary wrap;
		swap u, u2;
		swap v, v2;
	}
}
kernel evolve_life(steps: i64, inout a: u8[n, m]) {
	let b: u8[n, m];
	repeat t < steps {
		stencil b[i, j] = u8(a[i-1, j-1] + a[i-1, j] + a[i-1, j+1] + a[i, j-1] + a[i, j+1]
			+ a[i+1, j-1] + a[i+1, j] + a[i+1, j+1] | a[i, j]) == 3 ? 1 : 0
				boundary wrap;
		swap a, b;
	}
}
kernel evolve_star(steps: i64, inout a: f32[l, n, m]) {
	let b: f32[l, n, m];
	map b[k, i, j] = a[k, i, j];
	repeat t < steps {
		stencil b[k, i, j] = 0.1 * a[k-1, i, j] + 0.2 * a[k+1, i, j] + 0.15 * a[k, i-1, j]
			+ 0.12 * a[k, i+1, j]
			+ 0.13 * a[k, i, j-1] + 0.17 * a[k, i, j+1] + 0.13 * a[k, i, j]
				boundary keep;
		swap a, b;
	}
}
// Asks every 50 passes.
kernel evolve_every(most: i64, least: f32, inout a: f32[n, m], out change: f32) {
	let b: f32[n, m];
	repeat until change < least every 50 at most most {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary clamp;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
}
// Ends after `stop` passes, as data say.
kernel evolve_until(stop: i64, most: i64, inout a: f32[n, m], out passes: i64, out change: f32) {
	let b: f32[n, m];
	map passes = 0;
	repeat until passes >= stop at most most {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary clamp;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		map passes = passes + 1;
		swap a, b;
	}
}

// Seven points and twenty-seven of three axes.
kernel evolve_seven(steps: i64, inout a: f32[l, n, m]) {
	let b: f32[l, n, m];
	repeat t < steps {
		stencil b[i, j, k] = 0.4 * a[i, j, k] + 0.1 * (a[i-1, j, k] + a[i+1, j, k]
			+ a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1] + a[i, j, k+1]) boundary clamp;
		swap a, b;
	}
}
kernel evolve_seven_f64(steps: i64, inout a: f64[l, n, m]) {
	let b: f64[l, n, m];
	repeat t < steps {
		stencil b[i, j, k] = 0.4 * a[i, j, k] + 0.1 * (a[i-1, j, k] + a[i+1, j, k]
			+ a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1] + a[i, j, k+1]) boundary clamp;
		swap a, b;
	}
}
kernel evolve_seven_kept(steps: i64, inout a: f32[l, n, m]) {
	let b: f32[l, n, m];
	map b[i, j, k] = a[i, j, k];
	repeat t < steps {
		stencil b[i, j, k] = 0.1 * a[i-1, j, k] + 0.15 * a[i+1, j, k] + 0.2 * a[i, j-1, k]
			+ 0.1 * a[i, j+1, k] + 0.15 * a[i, j, k-1] + 0.1 * a[i, j, k+1]
			+ 0.2 * a[i, j, k] boundary keep;
		swap a, b;
	}
}
kernel evolve_cube(steps: i64, inout a: f32[l, n, m]) {
	let b: f32[l, n, m];
	repeat t < steps {
		stencil b[i, j, k] = sum[p in -1..2, q in -1..2, r in -1..2](a[i+p, j+q, k+r]) / 27
			boundary clamp;
		swap a, b;
	}
}
