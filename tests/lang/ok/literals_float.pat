// A float literal and an integer become the float that the context says; a shift keeps to integers.
fn half(k: i32) -> f64 = 0.5 * k;
fn bits(l: i64) -> f64 {
	let b = 1 << l;
	return f64(b) + f64(1 << l) + f64(7 % 4) + f64(~5 & 6);
}
kernel luma(x: u8[n, 3], out y: f32[n], out c: u8[n], out d: f64[n]) {
	map y[i] = 0.25 * x[i, 0] + 0.5 * x[i, 1] + 0.25 * x[i, 2];
	map c[i] = u8(0.299 * x[i, 0] + 0.587 * x[i, 1] + 0.114 * x[i, 2] + 0.5);
	map d[i] = f64(0.1 * x[i, 0]) - (0.5 * x[i, 1] > y[i] ? 1.5 : x[i, 2]);
}
kernel meets(k: i32[n], b: u8[n], z: f32[n], inout y: f32[m], out s: f32, out t: f64, out r: f32[n], out w: f32[n], out p: f16[n]) {
	reduce s = 2 * sum[i](0.5 * b[i]);
	reduce t = max[i](0.5 * k[i]);
	scan r[i] = sum(0.5 * b[i]);
	scan w[i] = 0.5 * w[i-1] + 0.25 * b[i];
	map r[i] += min(2.5, k[i], b[i]) + max(0.5 * b[i], z[i]);
	scatter y[k[i]] += 0.5 * b[i];
	histogram y[k[i]] max= 0.25 * b[i];
	map p[i] = 0.5 * k[i] where b[i] > 2;
}
kernel powers(l: i32, u: u8[n], out y: f64[n], out z: f32[n], out q: u64[n]) {
	map y[i] = f64(1 << l) + half(3) + bits(33) + (1 << 40);
	map z[i] = 0.5 * (1 << u[i]) - (1 << i);
	map q[i] = 1 << 40 << i;
}
kernel product(A: u8[n, k], B: i8[k, m], out C: f32[n, m]) {
	matmul C[i, j] = sum[h](0.25 * A[i, h] * B[h, j]);
}
kernel near(a: u8[n], out h: f32[n]) {
	stencil h[i] = 0.5 * (a[i-1] + a[i+1]) boundary clamp;
}
test floats {
	luma(x = [[100, 200, 50], [255, 255, 255]]) -> y = [137.5, 255], c = [153, 255], d = [-40, -229.5];
	meets(k = [0, 1, 1], b = [1, 3, 5], z = [9, 0, 0], y = [0, 0]) -> s = 9, t = 0.5, r = [9.5, 4.5, 8], w = [0.25, 0.875, 1.6875],
		y = [0.5, 4];
	powers(l = 3, u = [0, 3]) -> y = [1116691496974.5, 1116691496974.5], z = [-0.5, 2], q = [1099511627776, 2199023255552];
	product(A = [[2, 4]], B = [[1], [-1]]) -> C = [[-0.5]];
	near(a = [1, 2, 4]) -> h = [1.5, 2.5, 3];
}
