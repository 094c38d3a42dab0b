// Every cell from cells anywhere: affine, permuted, through other arrays; what lies outside keeps its cell.
struct Pair { a: f32, b: i32 }
struct Wide { v: f64[3] }
kernel affine(x: f32[2*n], z: i64[n], a: u16[n, m], out even: f32[n], out back: i64[n], out turned: u16[m, n], out sums: f32[n]) {
	gather even[i] = x[2*i + 1] - x[2*i];
	gather back[i] = z[n - 1 - i];
	gather turned[j, i] = a[n - 1 - i, j];
	gather sums[i] = x[i] + x[i + n] for i in 1..n where i % 3 != 1;
}
kernel far(k: i32[m], x: f32[n], h: f16[n], inout y: f32[m], inout g: f16[m], inout w: f32[m]) {
	gather y[i] = 2 * x[k[i]];
	gather g[i] += h[k[i]], w[i] = x[k[i]] + f32(i);
}
kernel small(k: u8[m], x: i8[n], p: i64[n], c: bool[m], inout y: i8[m], inout z: f64[m], t: f64[8]) {
	gather y[i] = c[i] ? x[k[i]] : 1;
	gather z[i] = t[p[k[i]]] where k[i] != 7;
}
kernel records(k: u32[m], p: Pair[n], q: Wide[n], inout r: Pair[m], inout w: Wide[m], inout s: f32[m]) {
	gather r[i] = p[k[i]], s[i] = p[k[i]].a * f32(p[k[i]].b);
	gather w[i] = q[k[i]] drop;
}
kernel apart(k: i32[m], p: Pair[n] layout soa, q: Pair[n] layout aosoa(4), inout r: Pair[m] layout soa, inout s: Pair[m]) {
	gather r[i] = q[k[i]];
	gather s[i].b = p[k[i]].b + 1;
}
kernel rows(k: i32[m+1], x: f32[40, l], col: i32[m, l], inout y: f32[m, l], inout z: f32[m, l] layout col, out u: f32[l]) {
	gather y[i, j] = x[k[i], j];
	gather z[i, j] = x[k[i], col[i, j]] drop;
	gather u[j] = x[k[m], l - 1 - j] trusted;
}
kernel sure(k: i32[m], x: f32[100], out y: f32[m], out s: f32) {
	let t: f32[100];
	map t[i] = x[i] * x[i] + 1;
	gather y[i] = t[k[i]] trusted;
	gather s = x[5 + 2*4];
}
kernel masked(k: i32[m], x: f32[n], z: f32[m], inout y: f32[m], inout w: f32[m]) {
	gather y[i] = z[i] where x[k[i]] > 0;
	scatter w[m - 1 - i] += 1 where x[k[i]] > 0;
}
kernel chained(k: i8[m], x: f32[m, n], z: f32[m, n], v: f32[m], inout y: f32[m, n], out w: f32[m, n], inout a: f32[m], out b: f32[m]) {
	gather y[i, j] = x[k[i], j] - y[i, j], w[i, j] = z[i, j] + y[i, j];
	gather a[i] = v[k[i]] - a[i], b[i] = v[i] + 2 * a[i];
}
test of_gathers {
	far(k = [1, 0, 2], x = [10, 20], h = [1, 2], y = 5, g = 1, w = 0) -> y = [40, 20, 5], g = [3, 2, 1], w = [20, 11, 0] status index;
	far(k = [-1, 0, 2147483647], x = [10, 20], h = [1, 2], y = 5, g = 1, w = 0) -> y = [5, 20, 5], g = [1, 2, 1], w = [0, 11, 0] status index;
	small(k = [0, 9, 1], x = [3, 4], p = [7, -8], c = [true, false, true], y = 0, z = 2, t = 6) -> y = [3, 1, 4], z = [6, 2, 2] status index;
	small(k = [0, 1, 2], x = [3, 4, 5], p = [4294967297, 2147483649, 1], c = true, y = 0, z = 2, t = [6, 7, 8, 9, 10, 11, 12, 13]) -> y = [3, 4, 5], z = [2, 2, 7] status index;
	records(k = [4294967295, 1], p = [Pair(1, 2), Pair(3, 4)], q = Wide([1, 2, 3]), r = Pair(0, 0), w = Wide([0, 0, 0]), s = 5) -> r = [Pair(0, 0), Pair(3, 4)], w = [Wide([0, 0, 0]), Wide([1, 2, 3])], s = [5, 12] status index;
	masked(k = [0, 1, 2], x = [1, -1], z = [5, 6, 7], y = 0, w = 0) -> y = [5, 0, 0], w = [0, 0, 1] status index;
}
