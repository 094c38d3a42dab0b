// Several passes of a loop over planes in one visit: lines of other warps, in shared memory.
kernel stacked(inout a: f32[11, 43, 4*m]) {
	let b: f32[11, 43, 4*m];
	repeat t < 4 {
		stencil b[i, j, k] = 0.25 * a[i, j, k] + 0.125 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1] + a[i, j, k+1]) boundary clamp;
		swap a, b;
	}
}
schedule stacked for cuda { time 2; }
schedule stacked for hip { time 2; }
