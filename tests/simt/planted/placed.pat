// A tile in place: a march makes two passes, and warps read what others write before they write.
kernel placed(inout a: f32[45, 212]) {
	let b: f32[45, 212];
	map b[i, j] = a[i, j];
	repeat t < 22 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
			boundary (wrap, keep);
		swap a, b;
	}
}
