// A place that the device computes: of cells that count, of rows, before the first and after the last.
kernel middle_of_positive(x: f32[n], out c: i64, inout v: f32) {
	reduce c = count[i](x[i] > 0);
	reduce v = kth[i where x[i] > 0](x[i], c / 2);
}
kernel at_of_rows(x: i32[n, m], y: i32[m], inout v: i32[n]) {
	let k: i64;
	reduce k = count[j](y[j] > 0);
	reduce v[i] = kth[j](x[i, j], k - 3);
}
test of_counted {
	middle_of_positive(x = [3, -1, 2, 0, 5], v = 7) -> c = 3, v = 3;
	at_of_rows(x = [[3, 1, 2, 9], [4, 7, 5, 6]], y = [1, 1, 1, 1], v = [0, 0]) -> v = [2, 5];
}
