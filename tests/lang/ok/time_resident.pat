// Loops whose cells stay in shared memory (resident.kernel): a block a tile, at most one for each
// multiprocessor.  The emulator has four of them, so there are two strips and two bands of tiles.
// The numbers of passes are less and more than those between two exchanges of rings.

kernel stay_keeps(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 23 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary keep;
		swap a, b;
	}
}
kernel stay_ranged(steps: i32, inout a: f64[45, 212]) {
	let b: f64[45, 212];
	map b[i, j] = a[i, j];
	repeat t < max(min(steps, 30), 14) {
		stencil b[i, j] = a[i, j] + 0.125 * (a[i-2, j] - a[i+1, j] + a[i-1, j+1] - f64(t))
			for i in 2..45-1, j in 3..212-1;
		swap b, a;
	}
}
kernel stay_clamps(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < 31 {
		stencil b[i, j] = 0.125 * sum[p in -1..2, q in -1..2](a[i+p, j+q]) boundary clamp;
		swap a, b;
	}
}
kernel stay_wraps(inout a: i32[45, 212], inout c: i32[45, 212]) {
	let b: i32[45, 212];
	let d: i32[45, 212];
	repeat t < 24 {
		stencil b[i, j] = a[i-1, j-1] + 3 * c[i+1, j] - a[i, j+2],
			d[i, j] = c[i, j+1] ^ a[i+2, j] boundary wrap;
		swap a, b;
		swap c, d;
	}
}
kernel stay_mirrors(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < 23 {
		stencil b[i, j] = 0.25 * (a[i-2, j-2] + a[i-1, j] + a[i, j+1] + a[i+2, j+2])
			boundary mirror;
		swap a, b;
	}
}
kernel stay_reflects(inout a: f64[45, 212]) {
	let b: f64[45, 212];
	repeat t < 16 {
		stencil b[i, j] = 0.25 * (a[i-1, j-1] + a[i-1, j] + a[i, j+1] + a[i+1, j+1])
			boundary reflect;
		swap a, b;
	}
}
kernel stay_mixed(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < 31 {
		stencil b[i, j] = 0.25 * (a[i-2, j-1] + a[i-1, j+1] + a[i, j+1] + a[i, j-1])
			boundary (clamp, wrap);
		swap a, b;
	}
}
kernel stay_values(outside: f32, inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < 24 {
		stencil b[i, j] = 0.25 * (a[i-1, j-1] + a[i+1, j] + a[i, j+1] + a[i, j-1])
			boundary constant (outside * 0.5);
		swap a, b;
	}
}
kernel stay_sides(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < 23 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j+1] + a[i+1, j-1])
			boundary (keep, mirror);
		swap a, b;
	}
}
kernel stay_fluxes(inout a: f32[45, 212], k: f32[45, 212], row: f32[45]) {
	repeat t < 16 {
		let b: f32[45, 212];
		let east: f32[45, 212];
		let south: f32[45, 212];
		stencil east[i, j] = k[i, j] * (a[i, j+1] - a[i, j]),
			south[i, j] = row[i] * (a[i+1, j] - a[i, j]) boundary clamp;
		stencil b[i, j] = a[i, j]
			+ 0.125 * (east[i, j] - east[i, j-1] + south[i, j] - south[i-1, j])
			boundary clamp;
		swap a, b;
	}
}
kernel stay_seen(inout a: f32[45, 212], inout b: f32[45, 212], out c: f32[45, 212]) {
	map c[i, j] = 0;
	repeat t < 31 {
		stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]), c[i, j] = a[i, j-1] - a[i, j]
			boundary keep;
		swap a, b;
	}
}
kernel stay_masked(inout a: f32[45, 212], where_: u8[45, 212]) {
	let b: f32[45, 212];
	repeat t < 24 {
		stencil b[i, j] = where_[i, j] % 2 == 0 ? 0.5 * (a[i, j-1] + a[i+1, j]) : a[i, j]
			boundary 1;
		swap a, b;
	}
}
kernel stay_life(inout a: u8[45, 212]) {
	let b: u8[45, 212];
	repeat t < 23 {
		stencil b[i, j] = u8(a[i-1, j-1] + a[i-1, j] + a[i-1, j+1] + a[i, j-1] + a[i, j+1]
			+ a[i+1, j-1] + a[i+1, j] + a[i+1, j+1] | a[i, j]) % 8 == 3 ? 1 : 0
				boundary wrap;
		swap a, b;
	}
}
kernel stay_adds(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 16 {
		stencil b[i, j] += 0.125 * (a[i-1, j] - a[i, j-1] - a[i, j+1] + a[i+1, j])
			boundary clamp;
		swap a, b;
	}
}
kernel stay_ranges(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 31 {
		stencil b[i, j] += 0.125 * (a[i-1, j] - a[i, j-1] - a[i+1, j])
			for i in 1..45-1, j in 1..212;
		swap a, b;
	}
}
kernel stay_halves(inout a: f16[45, 212]) {
	let b: f16[45, 212];
	repeat t < 24 {
		stencil b[i, j] = 0.5 * a[i, j]
			+ 0.125 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary 0;
		swap a, b;
	}
}
kernel stay_sidelong_clamps(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < 23 {
		stencil b[i, j] = 0.3 * a[i-1, j-1] + 0.6 * a[i+1, j] boundary clamp;
		swap a, b;
	}
}
kernel stay_sidelong_mirrors(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < 16 {
		stencil b[i, j] = 0.3 * a[i-2, j-1] + 0.6 * a[i+1, j] boundary mirror;
		swap a, b;
	}
}
kernel stay_sidelong_reflects(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < 31 {
		stencil b[i, j] = 0.3 * a[i-2, j+2] + 0.6 * a[i+1, j] boundary reflect;
		swap a, b;
	}
}
kernel stay_sidelong_below(inout a: u8[45, 212]) {
	let b: u8[45, 212];
	repeat t < 24 {
		stencil b[i, j] = u8(a[i, j+1] + 2 * a[i+1, j-2] + t) boundary reflect;
		swap a, b;
	}
}
kernel stay_sidelong_rows(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < 23 {
		stencil b[i, j] = 0.25 * a[i, j-1] + 0.5 * a[i, j] boundary 1;
		swap a, b;
	}
}
// Rows fewer than a ring, and a last strip that is narrower than one.
kernel stay_low(inout a: f32[9, 916]) {
	let b: f32[9, 916];
	repeat t < 20 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary wrap;
		swap a, b;
	}
}
kernel stay_high(inout a: f32[70, 120]) {
	let b: f32[70, 120];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 20 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary (wrap, keep);
		swap a, b;
	}
}
// As many passes as the caller says.
kernel stay_counted(steps: i32, inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < steps % 40 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) + f32(t)
			boundary mirror;
		swap a, b;
	}
}
// What a pass stores is read by its next statement.
kernel stay_read(inout u: f32[45, 212], out b: f32[45, 212]) {
	let v: f32[45, 212];
	repeat t < 20 {
		stencil v[i, j] = 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1])
			boundary clamp;
		swap u, v;
		stencil b[i, j] = u[i, j] + f32(t);
	}
}
// Cells that no pass computes are in both arrays alike: a pass writes the cells that it reads, and
// two passes are one march where registers suffice.
kernel stay_alike(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	map b[i, j] = a[i, j];
	repeat t < 23 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary keep;
		swap a, b;
	}
}
kernel stay_alike_ranged(steps: i32, inout b: f64[45, 212]) {
	let a: f64[45, 212];
	map a[i, j] = b[i, j];
	repeat t < max(min(steps, 30), 14) {
		stencil b[i, j] = a[i, j] + 0.125 * (a[i-2, j] - a[i+1, j] + a[i-1, j+1] - f64(t))
			for i in 2..45-1, j in 3..212-1;
		swap b, a;
	}
}
kernel stay_alike_rows(inout a: f32[45, 212], inout c: f32[45, 212]) {
	let b: f32[45, 212];
	let d: f32[45, 212];
	map b[i, j] = a[i, j];
	map d[i, j] = c[i, j];
	repeat t < 24 {
		stencil b[i, j] = 0.5 * (a[i-1, j-1] + c[i+1, j]),
			d[i, j] = 0.5 * (c[i, j+1] - a[i+2, j]) boundary (keep, wrap);
		swap a, b;
		swap c, d;
	}
}
kernel stay_alike_after(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	map b[i, j] = a[i, j];
	map a[i, j] = 0.5 * a[i, j];
	repeat t < 31 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary keep;
		swap a, b;
	}
}
kernel stay_alike_wraps(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	repeat t < 31 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary wrap;
		swap a, b;
	}
}
