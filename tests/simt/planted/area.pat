// A separable wavefront: of few rows, and of strips of a hundred and more in two groups.
kernel area(p: f32[n, m], out a: f32[n, m]) {
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}
kernel high(p: i32[1700, 136], out a: i32[1700, 136]) {
	wavefront a[i, j] = p[i, j] + 3 * a[i-1, j] + 5 * a[i, j-1] - 15 * a[i-1, j-1] boundary 7;
}
