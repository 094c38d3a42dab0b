// Several passes of a loop in one visit of memory (pass time).  Rows are whole vectors, or the loop
// goes pass by pass; the arrays of constant sides have strips and rows that no edge touches.

// Cells that keep their value, in one of two arrays: an odd number of passes.
kernel keeps(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 15 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary keep;
		swap a, b;
	}
}
kernel inner(inout a: f32[83, 388]) {
	let b: f32[83, 388];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 15 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary keep;
		swap a, b;
	}
}
// A range, and the counter of the loop.
kernel ranged(steps: i32, inout a: f64[n, 4*m]) {
	let b: f64[n, 4*m];
	require n >= 4 && m >= 2;
	map b[i, j] = a[i, j];
	repeat t < max(min(steps, 20), 9) {
		stencil b[i, j] = a[i, j] + 0.125 * (a[i-2, j] - a[i+1, j] + a[i-1, j+1] - f64(t))
			for i in 2..n-1, j in 3..4*m-1;
		swap b, a;
	}
}
kernel clamps(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 10 {
		stencil b[i, j] = 0.125 * sum[p in -1..2, q in -1..2](a[i+p, j+q]) boundary clamp;
		swap a, b;
	}
}
kernel wraps(inout a: i32[n, 4*m], inout c: i32[n, 4*m]) {
	let b: i32[n, 4*m];
	let d: i32[n, 4*m];
	repeat t < 9 {
		stencil b[i, j] = a[i-1, j-1] + 3 * c[i+1, j] - a[i, j+2],
			d[i, j] = c[i, j+1] ^ a[i+2, j] boundary wrap;
		swap a, b;
		swap c, d;
	}
}
kernel turns(inout a: f32[83, 388]) {
	let b: f32[83, 388];
	repeat t < 8 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j-1] + a[i, j-1] + a[i+1, j+1])
			boundary wrap;
		swap a, b;
	}
}
kernel mirrors(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 7 {
		stencil b[i, j] = 0.25 * (a[i-2, j-2] + a[i-1, j] + a[i, j+1] + a[i+2, j+2])
			boundary mirror;
		swap a, b;
	}
}
kernel reflects(inout a: f64[n, 4*m]) {
	let b: f64[n, 4*m];
	repeat t < 7 {
		stencil b[i, j] = 0.25 * (a[i-1, j-1] + a[i-1, j] + a[i, j+1] + a[i+1, j+1])
			boundary reflect;
		swap a, b;
	}
}
kernel mixed(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 9 {
		stencil b[i, j] = 0.25 * (a[i-2, j-1] + a[i-1, j+1] + a[i, j+1] + a[i, j-1])
			boundary (clamp, wrap);
		swap a, b;
	}
}
kernel values(outside: f32, inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 8 {
		stencil b[i, j] = 0.25 * (a[i-1, j-1] + a[i+1, j] + a[i, j+1] + a[i, j-1])
			boundary constant (outside * 0.5);
		swap a, b;
	}
}
kernel sides(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 9 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j+1] + a[i+1, j-1])
			boundary (keep, mirror);
		swap a, b;
	}
}
// A statement between two stencils, whose array lives in a pass only.
kernel fluxes(inout a: f32[n, 4*m], k: f32[n, 4*m], row: f32[n]) {
	repeat t < 8 {
		let b: f32[n, 4*m];
		let east: f32[n, 4*m];
		let south: f32[n, 4*m];
		stencil east[i, j] = k[i, j] * (a[i, j+1] - a[i, j]),
			south[i, j] = row[i] * (a[i+1, j] - a[i, j]) boundary clamp;
		stencil b[i, j] = a[i, j]
			+ 0.125 * (east[i, j] - east[i, j-1] + south[i, j] - south[i-1, j])
			boundary clamp;
		swap a, b;
	}
}
// The caller sees what the last pass leaves in b and c.
kernel seen(inout a: f32[n, 4*m], inout b: f32[n, 4*m], out c: f32[n, 4*m]) {
	map c[i, j] = 0;
	repeat t < 9 {
		stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]), c[i, j] = a[i, j-1] - a[i, j]
			boundary keep;
		swap a, b;
	}
}
kernel masked(inout a: f32[n, 4*m], where_: u8[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 6 {
		stencil b[i, j] = where_[i, j] % 2 == 0 ? 0.5 * (a[i, j-1] + a[i+1, j]) : a[i, j]
			boundary 1;
		swap a, b;
	}
}
kernel life(inout a: u8[n, 4*m]) {
	let b: u8[n, 4*m];
	repeat t < 7 {
		stencil b[i, j] = u8(a[i-1, j-1] + a[i-1, j] + a[i-1, j+1] + a[i, j-1] + a[i, j+1]
			+ a[i+1, j-1] + a[i+1, j] + a[i+1, j+1] | a[i, j]) % 8 == 3 ? 1 : 0
				boundary wrap;
		swap a, b;
	}
}
// `+=` reads the cell that it writes, of the array that has the pass before the last.
kernel adds(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 33 {
		stencil b[i, j] += 0.125 * (a[i-1, j] - a[i, j-1] - a[i, j+1] + a[i+1, j])
			boundary clamp;
		swap a, b;
	}
}
kernel ranges(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	require n >= 2 && m >= 1;
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 33 {
		stencil b[i, j] += 0.125 * (a[i-1, j] - a[i, j-1] - a[i+1, j])
			for i in 1..n-1, j in 1..4*m;
		swap a, b;
	}
}
kernel halves(inout a: f16[n, 4*m]) {
	let b: f16[n, 4*m];
	repeat t < 11 {
		stencil b[i, j] = 0.5 * a[i, j]
			+ 0.125 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary 0;
		swap a, b;
	}
}
kernel rod(inout a: f32[4*n]) {
	let b: f32[4*n];
	map b[i] = a[i];
	repeat t < 17 {
		stencil b[i] = a[i] + 0.25 * (a[i-1] - 2 * a[i] + a[i+1]) boundary keep;
		swap a, b;
	}
}
kernel ring(inout a: i64[4*n]) {
	let b: i64[4*n];
	repeat t < 6 {
		stencil b[i] = a[i-2] - 3 * a[i] + a[i+1] boundary wrap;
		swap a, b;
	}
}
kernel ends(inout a: f32[4*n], c: f32[4*n]) {
	let b: f32[4*n];
	repeat t < 12 {
		stencil b[i] = 0.25 * (a[i-3] + 2 * c[i] + a[i+2]) boundary reflect;
		swap a, b;
	}
}
// Cells that no pass computes have no cell in c: pass by pass.
kernel shorter(inout a: f32[n+1, 4*m], c: f32[n, 4*m], d: f32[l]) {
	require l >= 1;
	let b: f32[n+1, 4*m];
	map b[i, j] = a[i, j];
	repeat t < 7 {
		stencil b[i, j] = c[i, j] + 0.5 * a[i+1, j] for i in 0..n;
		swap a, b;
	}
	repeat t < 7 {
		stencil b[i, j] = d[0] + 0.5 * a[i+1, j] for i in 0..n;
		swap a, b;
	}
}
// Two loops, one in the other.
kernel outer(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	map b[i, j] = 0;
	repeat s < 2 {
		repeat t < 4 {
			stencil b[i, j] = 0.5 * (a[i-1, j] + a[i, j+1]) boundary keep;
			swap a, b;
		}
		map a[i, j] += f32(s);
	}
}
schedule sides for cuda { time 3; }
schedule sides for hip { time 5; }
schedule outer for cuda { time 3; }
schedule outer for hip { time 3; }
schedule keeps for hip { time 3; }
schedule clamps for hip { time 3; }
schedule rod for hip { time 7; }
schedule rod for cuda { time 9; }
// Cells beside the lane of rows outside alone.
kernel sidelong_clamps(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 9 {
		stencil b[i, j] = 0.3 * a[i-1, j-1] + 0.6 * a[i+1, j] boundary clamp;
		swap a, b;
	}
}
kernel sidelong_mirrors(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 9 {
		stencil b[i, j] = 0.3 * a[i-2, j-1] + 0.6 * a[i+1, j] boundary mirror;
		swap a, b;
	}
}
kernel sidelong_reflects(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 9 {
		stencil b[i, j] = 0.3 * a[i-2, j+2] + 0.6 * a[i+1, j] boundary reflect;
		swap a, b;
	}
}
// What one statement keeps is what another one has computed: both arrays are stored.
kernel twice_kept(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	map b[i, j] = 0.25 * a[i, j];
	repeat t < 15 {
		stencil b[i, j] = 0.5 * a[i-1, j] + 1 boundary keep;
		stencil b[i, j] = 0.25 * a[i+1, j] - 1 boundary keep;
		swap a, b;
	}
}
// Rows after the last one are reflections of rows before those that a chunk begins with.
kernel sidelong_below(inout a: u8[n, 16*m]) {
	let b: u8[n, 16*m];
	repeat t < 8 {
		stencil b[i, j] = u8(a[i, j+1] + 2 * a[i+1, j-2] + t) boundary reflect;
		swap a, b;
	}
}
// No row beside the own.
kernel sidelong_rows(inout a: f32[n, 16*m]) {
	let b: f32[n, 16*m];
	repeat t < 9 {
		stencil b[i, j] = 0.25 * a[i, j-1] + 0.5 * a[i, j] boundary 1;
		swap a, b;
	}
}
// Reflected, a cell two before the first is one of the next lane's.
kernel sidelong_far(inout a: f64[n, 16*m]) {
	let b: f64[n, 16*m];
	repeat t < 7 {
		stencil b[i, j] = 0.5 * a[i-1, j-2] + f64(t) boundary reflect;
		swap a, b;
	}
}
// Rows that wrap, between cells that keep their value.
kernel cylinder(inout a: f32[70, 120]) {
	let b: f32[70, 120];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 15 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary (wrap, keep);
		swap a, b;
	}
}
kernel barrel(inout a: f32[70, 120]) {
	let b: f32[70, 120];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 15 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary (keep, wrap);
		swap a, b;
	}
}
kernel open_ring(inout a: f32[70, 120]) {
	let b: f32[70, 120];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 15 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			for i in 3..70 boundary wrap;
		swap a, b;
	}
}
