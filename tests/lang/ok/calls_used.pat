// What tests/lang/ok/calls.pat uses; its own kernels are right by themselves, too.
struct Pair { x: f32, y: f32 }
kernel scaled(x: f32[n], a: f32, out y: f32[n]) {
	require a > 0;
	times: map y[i] = a * x[i];
}
kernel counted(x: f32[n], a: f32, out y: f32[n]) {
	map y[i] = a * x[i];
}
kernel total(x: f32[n], out s: f32) {
	reduce s = sum[i](x[i]);
}
kernel offsets(count: i32[n], out row: i32[n+1]) {
	scan row[i+1] = sum(count[i]);
	map row[0] = 0;
}
kernel shares(inout x: f32[n], size k: i64, out y: f32[k]) {
	let s: f32;
	total(x, s);
	let t: f32[n];
	map t[i] = s != 0 ? x[i] / s : 0;
	scaled(t, 3, x);
	map y[i] = f32(i) + s;
}
kernel grown(inout x: f32[n], a: f32) {
	map x[i] = x[i] + a;
}
kernel swapped(inout p: Pair[n, m], at: Pair) {
	let q: Pair[n, m];
	map q[i, j] = Pair(p[i, j].y + at.x, p[i, j].x);
	map p[i, j] = q[i, j];
}
kernel ordered(inout key: u32[n], out at: i32[n]) {
	map at[i] = i32(i);
	sort key with at;
}
kernel few(x: f32[n], least: f32, out y: f32[n], out count: i64) {
	compact y, count = x[i] where x[i] > least;
}
kernel smooth(inout a: f32[n, m], steps: i32) {
	let b: f32[n, m];
	repeat s < steps {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
		swap a, b;
	}
}
