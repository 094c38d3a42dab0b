// Cells that read many others, or choose between values, one vector or sixteen cells a thread: left alone, ptxas spills.
kernel elimination(inout a: f32[n, n], inout b: f32[n]) {
	let m: f32[n]; let row: f32[n]; let top: f32;
	repeat t < n - 1 {
		map m[i] = a[i, t] / a[t, t] for i in t+1..n;
		map row[j] = a[t, j] for j in t..n;
		map top = b[t];
		map a[i, j] -= m[i] * row[j] for i in t+1..n, j in t..n;
		map b[i] -= m[i] * top for i in t+1..n;
	}
}
kernel chosen(a: u8[n, m], limit: u8[n], b: u8[n, m], c: u8[n, m], inout y: u8[n, m]) {
	repeat s < min(n, m) - 1 {
		map y[i, j] = u8(b[i, j] * a[i, j] + a[i, j]) > u8(b[i, j] * a[i, j]) ? (c[i, j] > limit[i] ? limit[i] : limit[i])
			: u8(b[i, j] * a[i, j]) for i in s..n, j in 0..m;
	}
}
kernel several(a: i32[n, m], b: i32[n, m], c: i32[n, m], inout x: i32[n, m], inout y: i32[n, m], inout z: i32[n, m]) {
	stencil x[i, j] = c[i-1, j+1] > b[i-2, j+1]
			? 4 * b[i, j+1] + 8 * c[i-1, j] + 2 * a[i-2, j-2] + 8 * b[i+1, j] + 4 * b[i-1, j-1] + 1 * a[i+1, j-1] + 9 * a[i+1, j]
				+ 3 * a[i+2, j] + 1 * a[i-2, j-1] + 1 * b[i-1, j+1] + 2 * a[i-2, j+2] + 3 * c[i, j] + 8 * b[i+1, j] + 5 * c[i, j]
			: 9 * b[i, j+1] + 2 * c[i, j-1] + 5 * a[i-1, j-1],
		y[i, j] = 4 * b[i-2, j-2] + 2 * c[i+2, j+1] + 2 * b[i-2, j-1],
		z[i, j] = 3 * b[i+2, j-2] + 9 * b[i-1, j] + 6 * a[i, j-2] + 7 * a[i, j+1] + 3 * b[i+1, j-1] + 5 * a[i+1, j] + 9 * c[i, j+1]
			+ 6 * c[i+1, j+2] + 2 * a[i+2, j-2] + 5 * c[i-1, j] + 6 * b[i+1, j-1] + 7 * b[i-1, j-1] + 1 * b[i+1, j+1] + 5 * b[i+1, j]
		boundary reflect;
}
test of_cells {
	elimination(a = [[2, 1, 1], [4, 3, 3], [8, 7, 9]], b = [4, 10, 24]) -> a = [[2, 1, 1], [0, 1, 1], [0, 0, 2]], b = [4, 2, 2] within 1e-4;
	chosen(a = [[1, 2, 0]], limit = [9], b = [[3, 4, 5]], c = 7, y = 1) -> y = 1;
	chosen(a = [[1, 2, 0], [1, 2, 0]], limit = [9, 8], b = [[3, 4, 5], [0, 1, 2]], c = 7, y = 1) -> y = [[9, 9, 0], [8, 8, 0]];
	several(n = 5, m = 9, a = 1, b = 1, c = 1, x = 0, y = 0, z = 0) -> x = 16, y = 8, z = 74;
	several(n = 20, m = 36, a = random, b = random, c = random, x = 0, y = 0, z = 0);
}
