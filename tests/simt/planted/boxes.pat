// Several passes of a loop over planes in one visit: cells of other lines in other planes.
kernel box_mirrors(inout a: i32[l, n, 4*m]) {
	let b: i32[l, n, 4*m];
	repeat t < 4 {
		step: stencil b[i, j, k] = a[i-1, j-1, k-1] + 3 * a[i+1, j+1, k] - a[i, j+1, k+1] boundary mirror;
		swap a, b;
	}
}
kernel box_values(inout a: i32[l, n, 4*m]) {
	let b: i32[l, n, 4*m];
	repeat t < 4 {
		step: stencil b[i, j, k] = a[i-1, j-1, k-1] - a[i+1, j+1, k+1] + a[i, j, k] boundary 7;
		swap a, b;
	}
}
schedule box_mirrors for cuda { step: time 2; }
schedule box_values for cuda { step: time 2; }
