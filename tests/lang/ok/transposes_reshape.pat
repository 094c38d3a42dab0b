// transposes_reshape.pat - arrays that are no squares transposed in place: T[n, m] becomes T[m, n]; in a block, by rows that a block holds, and longer ones.
struct Pixel { r, g, b: u8 }
struct Mixed { k: i32, v: f64[2], s: i8 }
struct Long { v: f64[15], k: i64 }
kernel words(inout a: f32[n, m]) {
	transpose a[j, i] = a[i, j];
}
kernel bytes(inout a: u8[n, m], inout b: f16[n, k], inout f: bool[k, m]) {
	transpose a[j, i] = a[i, j];
	transpose b[j, i] = b[i, j];
	transpose f[j, i] = f[i, j];
}
kernel wide(inout d: f64[n, m], inout p: Pixel[n, m], inout x: Mixed[n, m]) {
	transpose p[j, i] = p[i, j];
	transpose d[j, i] = d[i, j];
	transpose x[j, i] = x[i, j];
}
kernel long(inout a: Long[n, m]) {
	transpose a[j, i] = a[i, j];
}
kernel fixed(inout a: f32[96, 136], inout b: f32[131, 97], inout c: f64[3, 2500], inout d: Long[3, 400]) {
	transpose a[j, i] = a[i, j];
	transpose b[j, i] = b[i, j];
	transpose c[j, i] = c[i, j];
	transpose d[j, i] = d[i, j];
}
kernel rows(inout a: f64[2500, 5], inout c: f32[2, 13000]) {
	transpose a[j, i] = a[i, j];
	transpose c[j, i] = c[i, j];
}
kernel after(x: f32[n, m], out a: f32[n, m], out b: f32[n, m], out s: f64) {
	map a[i, j] = 2 * x[i, j];
	map b[i, j] = a[i, j] + 1;
	reduce s = sum[i, j](f64(a[i, j]));
	transpose a[j, i] = a[i, j];
}
kernel swapped(inout a: i32[n, m], inout b: i32[n, m], steps: i32) {
	let t: i32[n, m];
	repeat k < steps {
		map t[i, j] = a[i, j] + b[i, j];
		swap a, b;
		swap a, t;
	}
	transpose a[j, i] = a[i, j];
}
kernel equal(inout a: f32[n, m]) {
	require n == m;
	transpose a[j, i] = a[i, j];
}
test of_shapes {
	words(a = [[1, 2, 3], [4, 5, 6]]) -> a = [[1, 4], [2, 5], [3, 6]];
	words(a = [[1, 2], [3, 4]]) -> a = [[1, 3], [2, 4]];
	after(x = [[1, 2], [3, 4], [5, 6]]) -> a = [[2, 6, 10], [4, 8, 12]], b = [[3, 5], [7, 9], [11, 13]], s = 42;
}
