// Functions in the left side of equations whose unknown is a number: their bodies are parts of it.
fn weighed(a: f64, b: f64) -> f64 = a * b;
fn laplace(before: f32, own: f32, after: f32) -> f32 = before - 2 * own + after;
fn either(c: bool, a: f32, b: f32) -> f32 = c ? a : b / 2;
kernel called_dense(a: f64[3, 3], d: f64[3], out x: f64[3]) {
	solve x[i] in sum[j](weighed(a[i, j] + 4 * f64(i == j), x[j])) = d[i];
}
kernel called_rows(a: f64[n], d: f64[n], out x: f64[n]) {
	solve x[i] in weighed(4, x[i]) - weighed(a[i], x[i-1] + x[i]) = d[i] boundary 0;
}
kernel called_twice(u: f32[m, n], r: f32, out x: f32[m, n]) {
	solve x[s, i] in x[s, i] - abs(r) * laplace(x[s, i-1], x[s, i], either(i % 3 == 0, x[s, i+1], x[s, i])) = u[s, i]
		boundary 0;
}
test bodies {
	called_dense(a = [[-2, 0, 0], [0, -3, 1], [0, 1, -5]], d = [2, 5, -1]) -> x = [1, 2, 3] within 1e-9;
	called_rows(a = [1, 1], d = [3, 4]) -> x = [1, 1.66666667] within 1e-6;
}
