struct P { x: f32, next: i32 }
fn first(x: f32[n]) -> f32 { return x[0]; }
fn same(x: f32[n], y: f32[n + 1]) -> f32 { return x[0] + y[n]; }
fn walk(p: P[k], at: i32) -> f32 = p[at].x;
fn twice(x: f32[2*n]) -> f32 = x[n];
const table: f32[2] = [1, 2];
kernel f(x: f32[n], z: f32[n, m], y: f64[n], p: P[k] layout soa, out o: f32[n], w: f32[n+2]) {
	gather o[i] = first(x[i]);
	gather o[i] = first(z);
	gather o[i] = first(y);
	gather o[i] = first(table);
	gather o[i] = first(missing);
	gather o[i] = same(x, x);
	gather o[i] = same(x, w);
	gather o[i] = walk(p, 0);
	gather o[i] = twice(x);
	gather o[i] = first(x, x);
}
