struct Body { x: f32, y: f32, mass: f32 }
struct Force { x: f32, y: f32 }
op plus(a: Force, b: Force) -> Force = Force(a.x + b.x, a.y + b.y) identity Force(0, 0), associative, commutative;
fn pull(p: Body, q: Body) -> Force {
	let d = q.x - p.x;
	return Force(d * abs(d), q.mass * d);
}
fn walked(x: f32) -> f32 {
	var y = x;
	for k in 0..3 { y = y * x; }
	return y;
}
kernel f(p: Body[n], x: f32[n], y: f32[m], k: i64[n], u: u32[n], r: f32, out force: Force[n], out v: f32[n], out w: f32[n, n], out at: i64[n], out s: f32) {
	field: pairs force[i] = plus[j](pull(p[i], p[j]));
	term: pairs v[i] = sum[j](x[j] * (x[j] - x[i]));
	order: pairs v[i] = sum[j](x[i] - 2 * x[j]);
	divided: pairs v[i] = sum[j where i != j](1 / (x[j] - x[i]));
	root: pairs v[i] = sum[j where i != j](1 / sqrt((x[j] - x[i]) * x[i] * (x[j] - x[i]) * x[j]));
	rounded: pairs v[i] = sum[j](floor(x[j] - x[i]));
	power: pairs v[i] = sum[j](walked(x[j] - x[i]));
	mask: pairs v[i] = sum[j where i < j](abs(x[j] - x[i]));
	places: pairs v[i], at[i] = argmin[j](abs(x[j] - x[i]));
	others: pairs v[i] = sum[j](abs(y[j] - x[i]));
	grid: pairs w[i, j] = sum[b](x[i] * x[j] * x[b]);
	tested: pairs v[i] = sum[j](x[k[j]] - x[k[i]]);
	exact: pairs v[i] = sum[j](x[j] - x[i]) strict;
	cached: pairs v[i] = sum[j](x[j] - x[i]);
	near: pairs v[i] = sum[j](abs(x[j] - x[i])) within r of (x);
	sums: reduce s = sum[i](x[i]);
	copy: map v[i] = x[i];
	zeros: pairs v[i] = sum[j](1 / max(x[i], x[j]));
	unsigned: pairs v[i] = sum[j where abs(u[i] - u[j]) < 5](x[i] * x[j]);
}
schedule f for cuda {
	field: symmetric; term: symmetric; order: symmetric; divided: symmetric; root: symmetric; rounded: symmetric;
	power: symmetric; mask: symmetric; places: symmetric; others: symmetric; grid: symmetric; tested: symmetric;
	exact: symmetric; cached: symmetric, stage l1; near: symmetric; sums: symmetric; copy: no symmetric;
	zeros: symmetric; unsigned: symmetric;
}
