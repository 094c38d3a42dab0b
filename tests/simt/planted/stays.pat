// All passes in one launch: each block keeps a tile in shared memory and exchanges the ring around it.
kernel stays(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 22 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) boundary (wrap, keep);
		swap a, b;
	}
}
