struct P { x: f32, next: i32 }
fn follow(p: P[n], i: i32) -> f32 { return p[i].x; }
fn pick(x: f32[n, m], i: i32, j: i32) -> f32 = x[i, j];
kernel parts(x: f32[n], k: i32[m], inout y: f32[m]) {
	let p: P[n];
	one: map p[i] = P(x[i], 1);
	map y[i] = follow(p, k[i]);
}
kernel turned(x: f32[n, m], k: i32[q], inout y: f32[q]) {
	let t: f32[m, n];
	two: transpose t[i, j] = x[j, i];
	map y[i] = pick(t, k[i], k[i]);
}
schedule parts for cuda { one: layout soa; }
schedule turned for cuda { two: layout col; }
