// Rows that look cells up and compute a little more than the product of a sparse matrix: as few registers as that takes would
// spill.
kernel pull(off: i64[n+1], from: i32[m], rank: f32[n], degree: i32[n], damping: f32, out next: f32[n]) {
	let share: f32[n];
	map share[v] = degree[v] > 0 ? rank[v] / f32(degree[v]) : 0;
	reduce next[v] = (1 - damping) / f32(n) + damping * sum[e in off[v]..off[v+1]](share[from[e]]);
}
kernel pull_f64(off: i64[n+1], from: i32[m], rank: f64[n], degree: i32[n], damping: f64, out next: f64[n]) {
	reduce next[v] = (1 - damping) / f64(n) + damping * sum[e in off[v]..off[v+1]](rank[from[e]] / f64(degree[from[e]]));
}
kernel labels(off: i32[n+1], to: i32[m], label: i32[n], out next: i32[n]) {
	reduce next[v] = min(label[v], min[e in off[v]..off[v+1]](label[to[e]]));
}
kernel masked(off: i32[n+1], to: i32[m], w: i64[m], d: i64[n], x: i64[n], a: i64, inout y: i64[n], inout z: i64[n]) {
	reduce y[r] = a + a * max[e in off[r]..off[r+1] where d[to[e]] > 0](x[to[e]]), z[r] = sum[e in off[r]..off[r+1]](w[e]);
}
kernel cells(off: i64[n+1], to: u32[m], d: u8[n], x: u8[n], out y: u8[n]) {
	reduce y[r] = u8(sum[e in off[r]..off[r+1] where d[to[e]] > 0](x[to[e]]));
}
kernel products(off: i32[n+1], to: i32[m], w: i64[m], x: i64[k], h: f16[m], z: f16[k], out y: i64[n], out v: f32[n], out u: i64[n]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](w[e] * x[to[e]]);
	reduce v[r] = sum[e in off[r]..off[r+1]](f32(h[e]) * f32(z[to[e]]));
	reduce u[r] = sum[e in off[r]..off[r+1]](x[to[e]]);
}
test of_rows {
	pull(off = [0, 2, 2, 3], from = [1, 2, 0], rank = [3, 4, 6], degree = [1, 2, 3], damping = 0.5)
		-> next = [2.1666667, 0.16666667, 1.6666667] within 1e-5;
	pull_f64(off = [0, 2, 2, 3], from = [1, 2, 0], rank = [3, 4, 6], degree = [1, 2, 3], damping = 0.5)
		-> next = [2.1666666667, 0.1666666667, 1.6666666667] within 1e-9;
	labels(off = [0, 2, 2, 3], to = [1, 2, 0], label = [5, 3, 4]) -> next = [3, 3, 4];
	masked(off = [0, 2, 3, 3], to = [1, 2, 0], w = [1, 2, 4], d = [1, 0, 1], x = [7, 8, 9], a = 1, y = 0, z = 0)
		-> y = [10, 8, -9223372036854775807], z = [3, 4, 0];
	cells(off = [0, 2, 3, 3], to = [1, 2, 0], d = [1, 0, 1], x = [200, 8, 9]) -> y = [9, 200, 0];
	products(off = [0, 2, 2, 3], to = [1, 0, 1], w = [2, 3, 4], x = [5, 7], h = [2, 3, 4], z = [5, 7])
		-> y = [29, 0, 28], v = [29, 0, 28], u = [12, 0, 7];
}
