// Several passes of a loop in one visit: cells that keep their value, and rows that are turned at the
// sides; of constant sides, so that some strips and rows touch no edge.
kernel kept(inout a: f32[48, 388]) {
	let b: f32[48, 388];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 6 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) + f32(t) boundary keep;
		swap a, b;
	}
}
kernel turned(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 3 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) boundary clamp;
		swap a, b;
	}
}
kernel odd(inout a: f32[n, 363]) {
	let b: f32[n, 363];
	repeat t < 3 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) boundary clamp;
		swap a, b;
	}
}
schedule kept for cuda { time 3; }
schedule kept for hip { time 3; }
schedule turned for cuda { time 3; }
schedule odd for cuda { time 3; }
schedule odd for hip { time 3; }
schedule turned for hip { time 3; }
