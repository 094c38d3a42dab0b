// Several passes of a loop over planes in one visit of memory (pass time): stars of three axes.
// Rows are whole vectors, or the loop goes pass by pass; the arrays of constant sides have tiles and
// planes that no edge touches.

// Cells that keep their value, in one of two arrays: an odd number of passes.
kernel cube_keeps(inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	map b[i, j, k] = 0.5 * a[i, j, k];
	repeat t < 10 {
		step: stencil b[i, j, k] = 0.15
			* (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1]
			+ a[i, j, k+1]) boundary keep;
		swap a, b;
	}
}
kernel cube_inner(inout a: f32[23, 37, 388]) {
	let b: f32[23, 37, 388];
	map b[i, j, k] = 0.5 * a[i, j, k];
	repeat t < 10 {
		step: stencil b[i, j, k] = 0.15
			* (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1]
			+ a[i, j, k+1]) boundary keep;
		swap a, b;
	}
}
// A range, and the counter of the loop.
kernel cube_ranged(steps: i32, inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	require l >= 3 && n >= 4 && m >= 2;
	map b[i, j, k] = a[i, j, k];
	repeat t < max(min(steps, 20), 9) {
		step: stencil b[i, j, k] = a[i, j, k]
			+ 0.125 * (a[i-1, j, k] - a[i+1, j, k] + a[i, j-1, k] - a[i, j+1, k]
			+ a[i, j, k-1] - f32(t))
			for i in 1..l-1, j in 2..n-1, k in 3..4*m-1;
		swap b, a;
	}
}
kernel cube_clamps(inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	repeat t < 7 {
		step: stencil b[i, j, k] = 0.4 * a[i, j, k]
			+ 0.1 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k]
			+ a[i, j, k-1] + a[i, j, k+1]) boundary clamp;
		swap a, b;
	}
}
kernel cube_wraps(inout a: i32[l, n, 4*m], inout c: i32[l, n, 4*m]) {
	let b: i32[l, n, 4*m];
	let d: i32[l, n, 4*m];
	repeat t < 7 {
		step: stencil b[i, j, k] = a[i-1, j, k] + 3 * c[i, j+1, k] - a[i, j, k+2],
			d[i, j, k] = c[i, j-1, k+1] ^ a[i+1, j, k] boundary wrap;
		swap a, b;
		swap c, d;
	}
}
kernel cube_turns(inout a: f32[21, 35, 388]) {
	let b: f32[21, 35, 388];
	repeat t < 8 {
		step: stencil b[i, j, k] = 0.2
			* (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k-1] + a[i, j+1, k+1])
			boundary wrap;
		swap a, b;
	}
}
kernel cube_mirrors(inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	repeat t < 7 {
		step: stencil b[i, j, k] = 0.2
			* (a[i-1, j, k] + a[i, j-2, k-1] + a[i, j+1, k+1] + a[i, j, k+1]
			+ a[i+1, j, k]) boundary mirror;
		swap a, b;
	}
}
kernel cube_reflects(inout a: f64[l, n, 4*m]) {
	let b: f64[l, n, 4*m];
	repeat t < 7 {
		step: stencil b[i, j, k] = 0.2
			* (a[i-1, j, k] + a[i, j-1, k-1] + a[i, j+2, k] + a[i, j, k+1]
			+ a[i+1, j, k]) boundary reflect;
		swap a, b;
	}
}
kernel cube_mixed(inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	repeat t < 9 {
		step: stencil b[i, j, k] = 0.2
			* (a[i-1, j, k-1] + a[i, j-1, k+1] + a[i, j+1, k] + a[i+1, j, k])
			boundary (clamp, wrap, reflect);
		swap a, b;
	}
}
kernel cube_values(outside: f32, inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	repeat t < 8 {
		step: stencil b[i, j, k] = 0.2
			* (a[i-1, j, k-1] + a[i, j-1, k+1] + a[i, j+1, k] + a[i+1, j, k])
			boundary constant (outside * 0.5);
		swap a, b;
	}
}
// Lines alone: no plane before or after is read.  Small cells.
kernel cube_lines(inout a: u8[l, n, 16*m]) {
	let b: u8[l, n, 16*m];
	repeat t < 9 {
		step: stencil b[i, j, k] = u8(a[i, j-1, k] + a[i, j+2, k]) boundary clamp;
		swap a, b;
	}
}
// Two fields, two statements of a pass, an array that no pass changes.
kernel cube_waves(inout u: f32[l, n, 4*m], inout v: f32[l, n, 4*m], c: f32[l, n, 4*m]) {
	repeat t < 8 {
		let w: f32[l, n, 4*m];
		let x: f32[l, n, 4*m];
		map w[i, j, k] = v[i, j, k] * 0.5 + c[i, j, k];
		step: stencil x[i, j, k] = u[i, j, k]
			+ 0.125 * (w[i-1, j, k] + w[i, j+1, k] + w[i, j, k-1] - 3 * u[i, j, k])
			boundary clamp;
		swap u, x;
		swap v, w;
	}
}
kernel cube_masked(inout a: f32[l, n, 4*m], open: u8[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	repeat t < 9 {
		step: stencil b[i, j, k] = open[i, j, k] % 2 == 0
			? 0.25 * (a[i, j-1, k] + a[i, j+1, k] + a[i-1, j, k] + a[i+1, j, k])
			: a[i, j, k] boundary 1;
		swap a, b;
	}
}
schedule cube_waves for cuda { step: time 2; }
schedule cube_waves for hip { step: time 2; }
// Planes or lines that wrap, between cells that keep their value.
kernel cube_tube(inout a: f32[9, 20, 64]) {
	let b: f32[9, 20, 64];
	map b[i, j, k] = 0.5 * a[i, j, k];
	repeat t < 20 {
		step: stencil b[i, j, k] = 0.15
			* (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1]
			+ a[i, j, k+1]) boundary (wrap, keep, wrap);
		swap a, b;
	}
}
kernel cube_slab(inout a: f32[9, 20, 64]) {
	let b: f32[9, 20, 64];
	map b[i, j, k] = 0.5 * a[i, j, k];
	repeat t < 20 {
		step: stencil b[i, j, k] = 0.15
			* (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1]
			+ a[i, j, k+1]) boundary (keep, wrap, keep);
		swap a, b;
	}
}
kernel cube_corner(inout a: f32[9, 20, 64]) {
	let b: f32[9, 20, 64];
	map b[i, j, k] = 0.5 * a[i, j, k];
	repeat t < 20 {
		step: stencil b[i, j, k] = 0.15
			* (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1]
			+ a[i, j, k+1]) for i in 3..9, j in 0..20, k in 2..64 boundary wrap;
		swap a, b;
	}
}
schedule cube_tube for cuda { time 3; }
schedule cube_slab for cuda { time 3; }
schedule cube_corner for cuda { time 3; }
schedule cube_tube for hip { time 3; }
schedule cube_slab for hip { time 3; }
schedule cube_corner for hip { time 3; }
