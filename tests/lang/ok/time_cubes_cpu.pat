// Several passes of a loop over planes in one visit of memory on a CPU (pass time), where its tiles
// end: strips of 512 columns, few lines of many passes, sizes below the halo.

// Passes: none, one, those of a visit, one less and more.
kernel brick_steps(steps: i32, inout a: i32[l, n, m]) {
	let b: i32[l, n, m];
	repeat t < max(min(steps, 12), 0) {
		step: stencil b[i, j, k] = a[i-1, j, k] + 3 * a[i+1, j, k] - a[i, j-1, k] + 5 * a[i, j+1, k]
			^ a[i, j, k-1] - 7 * a[i, j, k+1] + i32(t) boundary clamp;
		swap a, b;
	}
}
kernel brick_five(inout a: i32[l, n, m]) {
	let b: i32[l, n, m];
	repeat t < 5 {
		step: stencil b[i, j, k] = a[i-1, j, k+1] + 3 * a[i, j+1, k] - a[i+1, j-1, k] boundary wrap;
		swap a, b;
	}
}
kernel brick_seven(inout a: i32[l, n, m]) {
	let b: i32[l, n, m];
	repeat t < 7 {
		step: stencil b[i, j, k] = a[i-1, j, k+1] + 3 * a[i, j+1, k] - a[i+1, j-1, k] boundary reflect;
		swap a, b;
	}
}
schedule brick_steps for cpu { step: time 6; }
schedule brick_five for cpu { step: time 6; }
schedule brick_seven for cpu { step: time 6; }
// One plane, one line, one column; fewer of each than a halo.
kernel brick_flat(inout a: f32[1, n, m]) {
	let b: f32[1, n, m];
	repeat t < 6 {
		step: stencil b[i, j, k] = 0.1 * (a[i-2, j, k] + a[i+1, j, k] + a[i, j-2, k] + a[i, j+1, k]
			+ a[i, j, k-1] + a[i, j, k+2]) boundary mirror;
		swap a, b;
	}
}
kernel brick_line(inout a: f32[l, 1, m]) {
	let b: f32[l, 1, m];
	repeat t < 6 {
		step: stencil b[i, j, k] = 0.1 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-2, k] + a[i, j+2, k]
			+ a[i, j, k-1] + a[i, j, k+2]) boundary wrap;
		swap a, b;
	}
}
kernel brick_column(inout a: f32[l, n, 1]) {
	let b: f32[l, n, 1];
	repeat t < 6 {
		step: stencil b[i, j, k] = 0.1 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-2, k] + a[i, j+1, k]
			+ a[i, j, k-1] + a[i, j, k+2]) boundary (reflect, 2, wrap);
		swap a, b;
	}
}
kernel brick_few(inout a: f32[2, 3, 2]) {
	let b: f32[2, 3, 2];
	repeat t < 9 {
		step: stencil b[i, j, k] = 0.1 * (a[i-2, j, k] + a[i+2, j-1, k] + a[i, j-2, k] + a[i, j+2, k+1]
			+ a[i, j, k-2] + a[i, j, k+2]) boundary reflect;
		swap a, b;
	}
}
schedule brick_flat for cpu { step: time 4; }
schedule brick_line for cpu { step: time 4; }
schedule brick_column for cpu { step: time 4; }
schedule brick_few for cpu { step: time 5; }
// Several strips of columns, and several tiles of lines, of which the last ones are short.
kernel brick_wide(inout a: f32[3, 5, 1050]) {
	let b: f32[3, 5, 1050];
	repeat t < 7 {
		step: stencil b[i, j, k] = 0.2 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k-1] + a[i, j+1, k+2]
			+ a[i, j, k-2]) boundary (clamp, wrap, wrap);
		swap a, b;
	}
}
kernel brick_tall(inout a: f64[4, 75, 40]) {
	let b: f64[4, 75, 40];
	repeat t < 7 {
		step: stencil b[i, j, k] = 0.2 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k-1] + a[i, j+2, k+1]
			+ a[i, j-2, k]) boundary (wrap, mirror, clamp);
		swap a, b;
	}
}
kernel brick_around(outside: f64, inout a: f64[3, 60, 530]) {
	let b: f64[3, 60, 530];
	repeat t < 5 {
		step: stencil b[i, j, k] = 0.1 * sum[p in -1..2, q in -1..2, r in -1..2](a[i+p, j+q, k+r])
			boundary (clamp, outside, clamp);
		swap a, b;
	}
}
schedule brick_wide for cpu { step: time 6; }
schedule brick_tall for cpu { step: time 6; }
schedule brick_around for cpu { step: time 3; }
// In place: half of the cells, then the others.
kernel brick_red_black(inout a: f32[l, n, m]) {
	repeat t < 7 {
		step: stencil a[i, j, k] = 0.15 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k]
			+ a[i, j, k-1] + a[i, j, k+1])
			for i in 1..l-1, j in 1..n-1, k in 1..m-1 where (i + j + k) % 2 == 0;
		stencil a[i, j, k] = 0.15 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k]
			+ a[i, j, k-1] + a[i, j, k+1])
			for i in 1..l-1, j in 1..n-1, k in 1..m-1 where (i + j + k) % 2 == 1;
	}
}
// Two fields of a pass that read each other; what one stores, no pass reads at once.
kernel brick_fields(inout e: f32[l, n, m], inout h: f32[l, n, m], c: f32[l, n, m]) {
	repeat t < 8 {
		stencil e[i, j, k] += c[i, j, k] * (h[i, j, k] - h[i, j-1, k] - h[i-1, j, k]) boundary keep;
		step: stencil h[i, j, k] -= 0.25 * (e[i+1, j, k] + e[i, j, k+1] - e[i, j, k]) boundary keep;
	}
}
// Cells that keep their value, beside those of a range.
kernel brick_kept(inout a: f32[5, 70, 45]) {
	let b: f32[5, 70, 45];
	map b[i, j, k] = 0.5 * a[i, j, k];
	repeat t < 9 {
		step: stencil b[i, j, k] = 0.2 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k-1]
			+ a[i, j, k+1]) for j in 3..66, k in 2..45 boundary (keep, keep, wrap);
		swap a, b;
	}
}
schedule brick_red_black for cpu { step: time 3; }
schedule brick_fields for cpu { step: time 3; }
schedule brick_kept for cpu { step: time 5; }
// No visits.
kernel brick_off(inout a: f32[l, n, m]) {
	let b: f32[l, n, m];
	repeat t < 3 {
		step: stencil b[i, j, k] = 0.5 * (a[i-1, j, k] + a[i, j+1, k]) boundary clamp;
		swap a, b;
	}
}
schedule brick_off for cpu { step: no time; }
