// Functions that read arrays, beside statements that might share a kernel with theirs.
struct Ball { x: f32, y: f32, next: i32 }
fn sum_of(x: f32[n]) -> f32 {
	var s: f32 = 0;
	for i in 0..n { s += x[i]; }
	return s;
}
fn near(x: f32[n], at: i64) -> f32 = x[at] - x[at + 1];
fn mean_row(a: f32[n, m], i: i64) -> f32 {
	var s: f32 = 0;
	for j in 0..m { s += a[i, j]; }
	return m > 0 ? s / f32(m) : 0;
}
fn chain(ball: Ball[k], from: i32) -> f32 {
	var at: i32 = from;
	var s: f32 = 0;
	while at >= 0 at most k { s += ball[at].x; at = ball[at].next; }
	return s;
}

kernel walk_produced(x: f32[n], at: i64[m], inout y: f32[m]) {
	let t: f32[n];
	map t[i] = 2 * x[i] + 1;
	map y[i] = near(t, at[i]);
}
kernel walk_beside(x: f32[n], out u: f32[n], out v: f32[n], out s: f32) {
	map u[i] = x[i] * 0.5;
	map v[i] = u[i] + sum_of(u);
	reduce s = sum[i](v[i]);
}
kernel walk_rows(a: f32[n, m], out r: f32[n], out b: f32[n, m], out d: f32[n]) {
	reduce r[i] = sum[j](a[i, j]);
	map b[i, j] = a[i, j] - r[i];
	map d[i] = mean_row(b, i) + sum_of(r);
}
kernel walk_steps_of_time(inout a: f32[4 * n], at: i64[k], inout y: f32[k], t: i32) {
	let b: f32[4 * n];
	repeat s < t {
		stencil b[i] = 0.5 * a[i-1] + 0.25 * (a[i] + a[i+1]) boundary clamp;
		swap a, b;
		gather y[q] = y[q] + near(a, at[q]) drop;
	}
}
kernel walk_product(a: f32[n, k], b: f32[k, m], bias: f32[m], out c: f32[n, m]) {
	matmul c[i, j] = sum[q](a[i, q] * b[q, j]);
	map c[i, j] = c[i, j] + sum_of(bias);
}
kernel walk_structs(x: f32[k], next: i32[k], from: i32[m], inout y: f32[m]) {
	let ball: Ball[k];
	map ball[i] = Ball(x[i], -x[i], next[i]);
	repeat s < 3 {
		map ball[i].x = ball[i].x + ball[i].y * 0.5;
		map y[i] = chain(ball, from[i]);
	}
}
kernel walk_sorted(x: f32[n], inout y: f32[n], out p: f32[n]) {
	sort y;
	scan p[i] = sum(y[i] * sum_of(x));
}
kernel walk_columns(x: f32[m, n], out y: f32[n], out z: f32[n]) {
	let t: f32[n, m];
	transpose t[i, j] = x[j, i];
	map y[i] = mean_row(t, i);
	reduce z[i] = max[j](t[i, j] - mean_row(t, i));
}
schedule walk_structs for cuda { layout soa; }
