// transpose.pat - rows become columns: of a matrix, in place, and of pixels into planes (CUDA's
// samples, Futhark's examples, PRK).  Patterns: transpose.
kernel transpose_of(a: f32[n, m], out b: f32[m, n]) {
	transpose b[j, i] = a[i, j];
}
kernel transpose_in_place(inout a: f32[n, n]) {
	transpose a[j, i] = a[i, j];
}
kernel planes_of(image: u8[h, w, 3], out plane: f32[3, h, w]) {
	transpose plane[c, y, x] = f32(image[y, x, c]) / 255;
}

test known {
	transpose_of(a = [[1, 2, 3], [4, 5, 6]]) -> b = [[1, 4], [2, 5], [3, 6]];
	transpose_in_place(a = [[1, 2], [3, 4]]) -> a = [[1, 3], [2, 4]];
	planes_of(image = [[[0, 255, 51]]]) -> plane = [[[0]], [[1]], [[0.2]]];
}
