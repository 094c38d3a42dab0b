// An array that is no square has another shape after it is transposed in place: once, alone, and last.
kernel used(inout a: f32[n, m], out b: f32[n, m]) {
	transpose a[j, i] = a[i, j];
	map b[i, j] = a[i, j];
}
kernel written(x: f32[n, m], inout a: f32[n, m], steps: i32) {
	transpose a[j, i] = a[i, j];
	repeat t < steps {
		map a[i, j] = x[i, j];
	}
}
kernel swapped(inout a: f32[n, m], inout b: f32[n, m]) {
	transpose a[j, i] = a[i, j];
	swap a, b;
}
kernel inside(inout a: f32[n, m], steps: i32) {
	repeat t < steps {
		transpose a[j, i] = a[i, j];
	}
}
kernel sometimes(inout a: f32[n, m], k: i32) {
	if k > 0 {
		transpose a[j, i] = a[i, j];
	}
}
kernel scaled(inout a: f32[n, m]) {
	transpose a[j, i] = 2 * a[i, j];
}
kernel batch(inout a: f32[b, n, m]) {
	transpose a[k, j, i] = a[k, i, j];
}
kernel columns(inout a: f32[n, m] layout col) {
	transpose a[j, i] = a[i, j];
}
kernel temporary(x: f32[n, m], out s: f32) {
	let a: f32[n, m];
	map a[i, j] = x[i, j];
	reduce s = sum[i, j](a[i, j]);
	transpose a[j, i] = a[i, j];
}
struct Long { v: f64[200] }
kernel large(inout a: Long[n, m]) {
	transpose a[j, i] = a[i, j];
}
kernel masked(inout a: f32[n, m]) {
	transpose a[j, i] = a[i, j] where i < j;
}
