// Kernels so small that a call from Python is all that is measured: bench/calls.sh.
kernel picked(x: f32[n], at: i32[m], out y: f32[m]) {
	gather y[i] = x[at[i]];
}
kernel scaled(a: f32, x: f32[n], inout y: f32[n]) {
	map y[i] = a * x[i] + y[i];
}
kernel moved(x: f32[n, m], rows: i64, by: f64, out y: f32[n, m], out most: f32) {
	map y[i, j] = x[i, j] + f32(f64(rows) * by);
	reduce most = max[i, j](y[i, j]);
}
