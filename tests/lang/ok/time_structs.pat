// Cells that are structs, of loops whose passes share visits of memory (pass time): their fields lie apart while the kernel runs.

struct Mix { u, v: f32 }
struct Flow { h: f32, q: f32[2] }
struct Wide { x: f64, n: i32, c: u8 }

// The caller's cells lie together, and many passes pay for the conversion.
kernel mix_clamps(inout a: Mix[n, 4*m]) {
	let b: Mix[n, 4*m];
	repeat t < 40 {
		stencil b[i, j].u = 0.25 * (a[i-1, j].u + a[i, j-1].u + a[i, j+1].v + a[i+1, j].u) + 0.01 * f32(t),
			b[i, j].v = 0.25 * (a[i-1, j].v + a[i, j-1].u + a[i, j+1].v + a[i+1, j].v) boundary clamp;
		swap a, b;
	}
}
kernel mix_keeps(inout a: Mix[n, 4*m]) {
	let b: Mix[n, 4*m];
	map b[i, j] = Mix(a[i, j].v, a[i, j].u);
	repeat t < 41 {
		stencil b[i, j] = Mix(0.5 * (a[i-1, j].u + a[i, j+1].v), 0.25 * a[i+1, j].v - 0.5 * a[i, j-1].u) boundary keep;
		swap a, b;
	}
}
// In place, a field of the other.
kernel mix_turns(inout a: Mix[n, 4*m]) {
	repeat t < 40 {
		stencil a[i, j].u += 0.125 * (a[i-1, j].v - a[i, j-1].v) boundary wrap;
		stencil a[i, j].v -= 0.125 * (a[i+1, j].u - a[i, j+1].u) boundary wrap;
	}
}
// Fields apart as declared, and as pinned.
kernel mix_apart(inout a: Mix[n, 4*m] layout soa) {
	let b: Mix[n, 4*m];
	repeat t < 11 {
		stencil b[i, j].u = 0.5 * (a[i-1, j].u + a[i, j+1].v), b[i, j].v = 0.5 * (a[i+1, j].v - a[i, j-1].u) boundary 0;
		swap a, b;
	}
}
kernel mix_pinned(steps: i64, inout a: Mix[n, 4*m]) {
	let b: Mix[n, 4*m];
	repeat t < max(min(steps, 25), 0) {
		step: stencil b[i, j].u = 0.5 * (a[i-1, j].u + a[i, j+1].v), b[i, j].v = 0.5 * (a[i+1, j].v - a[i, j-1].u) boundary mirror;
		swap a, b;
	}
}
schedule mix_pinned for cuda { step: layout soa; }
schedule mix_pinned for hip { step: layout soa; }
schedule mix_pinned for cpu { step: layout soa; }
// A field that no pass reads, and one that none writes: they are exchanged with the others.
kernel wide(inout a: Wide[n, 8*m], inout b: Wide[n, 8*m]) {
	repeat t < 40 {
		stencil b[i, j].x = 0.5 * (a[i-1, j].x + a[i, j+1].x) + f64(t % 3) boundary clamp;
		swap a, b;
	}
}
kernel narrow(inout a: Wide[n, 16*m]) {
	let b: Wide[n, 16*m];
	map b[i, j] = a[i, j];
	repeat t < 40 {
		stencil b[i, j].n = a[i-1, j].n + i32(a[i, j+1].c), b[i, j].c = a[i, j].c ^ u8(a[i, j-1].n), b[i, j].x = a[i, j].x boundary wrap;
		swap a, b;
	}
}
// Fields that are arrays.
kernel flows(inout a: Flow[n, 4*m]) {
	let b: Flow[n, 4*m];
	repeat t < 40 {
		stencil b[i, j].h = a[i, j].h - 0.1 * (a[i, j+1].q[0] - a[i, j-1].q[0] + a[i+1, j].q[1] - a[i-1, j].q[1]),
			b[i, j].q[0] = a[i, j].q[0] - 0.1 * (a[i, j+1].h - a[i, j-1].h),
			b[i, j].q[1] = a[i, j].q[1] - 0.1 * (a[i+1, j].h - a[i-1, j].h) boundary clamp;
		swap a, b;
	}
}
// One axis, three axes.
kernel mix_rod(inout a: Mix[4*n]) {
	let b: Mix[4*n];
	repeat t < 40 {
		stencil b[i].u = a[i-1].v + 0.5 * a[i].u, b[i].v = 0.5 * a[i+1].u boundary reflect;
		swap a, b;
	}
}
kernel mix_cube(inout a: Mix[l, n, 4*m]) {
	let b: Mix[l, n, 4*m];
	repeat t < 40 {
		step: stencil b[i, j, k].u = 0.25 * (a[i-1, j, k].u + a[i, j-1, k].v + a[i, j, k+1].u), b[i, j, k].v = 0.25 * (a[i+1, j, k].u + a[i, j+1, k].v) boundary clamp;
		swap a, b;
	}
}
