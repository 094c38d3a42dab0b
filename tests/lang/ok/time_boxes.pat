// Several passes of a loop over planes in one visit of memory (pass time): cells of other planes and other lines.

// Cells that keep their value.
kernel box_keeps(inout a: f32[l, n, 4*m]) {
	repeat t < 7 {
		let b: f32[l, n, 4*m];
		step: stencil b[i, j, k] = 0.25 * (a[i-1, j-1, k+1] + a[i, j+1, k] + a[i, j, k-1] + a[i-1, j+1, k]) boundary clamp;
		map a[i, j, k] = b[i, j, k] for i in 1..l, k in 2..4*m;
	}
}
kernel box_inner(inout a: f32[23, 37, 388]) {
	repeat t < 6 {
		let b: f32[23, 37, 388];
		step: stencil b[i, j, k] = 0.25 * (a[i+1, j-1, k+1] + a[i, j+1, k] + a[i, j, k-1] + a[i+1, j+1, k]) boundary clamp;
		map a[i, j, k] = b[i, j, k] for i in 1..22, j in 1..36, k in 1..386;
	}
}
kernel box_clamps(inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	repeat t < 5 {
		step: stencil b[i, j, k] = 0.2 * (a[i-1, j-1, k] + a[i, j-1, k+1] + a[i-1, j+1, k-1] + a[i, j, k]) boundary clamp;
		swap a, b;
	}
}
kernel box_wraps(inout a: i32[l, n, 4*m]) {
	let b: i32[l, n, 4*m];
	repeat t < 4 {
		step: stencil b[i, j, k] = a[i-1, j-1, k] + 3 * a[i+1, j+1, k-1] - a[i+1, j-1, k] ^ a[i-1, j+1, k+2] boundary wrap;
		swap a, b;
	}
}
kernel box_mirrors(inout a: i32[l, n, 4*m]) {
	let b: i32[l, n, 4*m];
	repeat t < 3 {
		step: stencil b[i, j, k] = a[i-1, j-1, k-1] + 3 * a[i+1, j+1, k] - a[i, j+1, k+1] boundary mirror;
		swap a, b;
	}
}
kernel box_reflects(inout a: i32[l, n, 4*m]) {
	let b: i32[l, n, 4*m];
	repeat t < 4 {
		step: stencil b[i, j, k] = a[i-1, j+1, k-1] + 3 * a[i, j-1, k+1] boundary reflect;
		swap a, b;
	}
}
kernel box_values(outside: f32, inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	repeat t < 5 {
		step: stencil b[i, j, k] = 0.2 * (a[i-1, j-1, k-1] + a[i-1, j+1, k] + a[i+1, j-1, k+1] + a[i+1, j+1, k]) boundary constant (outside * 0.5);
		swap a, b;
	}
}
kernel box_mixed(inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	repeat t < 5 {
		step: stencil b[i, j, k] = 0.2 * (a[i-1, j-1, k-1] + a[i-1, j+1, k+1] + a[i+1, j-1, k] + a[i, j, k]) boundary (1, reflect, wrap);
		swap a, b;
	}
}
// The plane before alone, the plane after alone, a range; two planes away.
kernel box_before(inout a: i32[l, n, 4*m]) {
	let b: i32[l, n, 4*m];
	repeat t < 5 {
		step: stencil b[i, j, k] = a[i-1, j-1, k] - 3 * a[i-1, j+1, k] + i32(t) boundary clamp;
		swap a, b;
	}
}
kernel box_after(inout a: i32[l, n, 4*m]) {
	let b: i32[l, n, 4*m];
	repeat t < 5 {
		step: stencil b[i, j, k] = a[i+1, j-1, k] - 3 * a[i+1, j+1, k-1] boundary clamp;
		swap a, b;
	}
}
kernel box_ranged(steps: i32, inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	require l >= 4 && n >= 2 && m >= 1;
	map b[i, j, k] = a[i, j, k];
	repeat t < max(min(steps, 11), 0) {
		step: stencil b[i, j, k] = 0.25 * (a[i-2, j+1, k] + a[i+1, j, k] + a[i+1, j-1, k-1] - f32(t)) for i in 2..l-1, j in 1..n-1, k in 1..4*m;
		swap a, b;
	}
}
kernel box_far(inout a: i32[l, n, 4*m]) {
	let b: i32[l, n, 4*m];
	repeat t < 4 {
		step: stencil b[i, j, k] = a[i-2, j-1, k] - 3 * a[i+1, j+1, k] boundary reflect;
		swap a, b;
	}
}
schedule box_keeps for cuda { step: time 2; }
schedule box_inner for cuda { step: time 2; }
schedule box_clamps for cuda { step: time 2; }
schedule box_wraps for cuda { step: time 2; }
schedule box_mirrors for cuda { step: time 2; }
schedule box_reflects for cuda { step: time 2; }
schedule box_values for cuda { step: time 2; }
schedule box_mixed for cuda { step: time 2; }
schedule box_before for cuda { step: time 2; }
schedule box_after for cuda { step: time 2; }
schedule box_far for cuda { step: time 2; }
