// Triangular systems by blocks of rows: products, and a small triangle for each block.
kernel lower(a: f64[n, n], b: f64[n, m], out x: f64[n, m]) {
	wavefront x[i, c] = (b[i, c] - sum[j in 0..i](a[i, j] * x[j, c])) / (4 * abs(a[i, i]) + 10 * n);
}
kernel words(w: u32[n], v: u32[n], b: u32[n, 3], out x: u32[n, 3]) {
	wavefront x[i, c] = b[i, c] - sum[j in 0..i]((w[i] ^ v[j]) * x[j, c]);
}
kernel upper(w: i64[n], v: i64[n], s: i64[5], inout x: i64[n, 5]) {
	wavefront x[i, c] = (sum[j in i+1..n]((w[i] - v[j]) * x[j, c]) + x[i, c]) * v[i] ^ s[c] from below;
}
kernel turned(a: u32[n, n], inout x: u32[n, m]) {
	wavefront x[i, c] = x[i, c] - sum[j in 0..i](a[j, i] * x[j, c]);
}
kernel across(w: i32[n], v: i32[n], b: i32[2, n], out x: i32[2, n]) {
	wavefront x[c, i] = b[c, i] - w[i] - sum[j in 0..i]((w[i] & v[j]) * x[c, j]);
}
kernel batch(a: f32[n, n], b: f32[3, n, m], out x: f32[3, n, m]) {
	wavefront x[k, i, c] = (b[k, i, c] - sum[j in 0..i](a[i, j] * x[k, j, c])) / (4 * abs(a[i, i]) + 10 * n);
}
kernel part(w: i32[n], inout x: i32[n, m]) {
	wavefront x[i, c] = x[i, c] + 7 - sum[j in 1..i](w[i] * w[j] * x[j, c]) for i in 1..n, c in 1..m;
}
kernel cheapest(w: i32[n, n], s: i32[n, m], out t: i32[n, m]) {
	wavefront t[i, c] = min(s[i, c], min[j in 0..i](w[i, j] + t[j, c]) + 3);
}
kernel many(w: u32[n], v: u32[n], b: u32[n, 64], out x: u32[n, 64]) {
	wavefront x[i, c] = b[i, c] - sum[j in 0..i]((w[i] ^ v[j]) * x[j, c]);
}
kernel again(a: u32[n, n], inout x: u32[n, m], inout y: u32[n, m]) {
	repeat t < 3 {
		wavefront x[i, c] = y[i, c] - sum[j in i+1..n](a[i, j] * x[j, c]) from below;
		swap x, y;
	}
}
kernel folded(a: i32[n, n], inout x: i32[n, m], inout s: i32) {
	repeat until s > 50 at most 3 {
		wavefront x[i, c] = x[i, c] - sum[j in 0..i](a[i, j] * x[j, c]);
		reduce s = max[i, c](x[i, c] % 128);
	}
}
test solves {
	lower(a = [[-2, 0], [1, 1]], b = [[28, 56], [25, 26]]) -> x = [[1, 2], [1, 1]];
	upper(w = [1, 2], v = [3, 4], s = 0, x = [[1, 1, 1, 1, 1], [2, 2, 2, 2, 2]])
		-> x = [[-69, -69, -69, -69, -69], [8, 8, 8, 8, 8]];
}
schedule lower for cuda { sweep blocked; }
schedule lower for hip { sweep blocked; }
schedule words for cuda { sweep blocked; }
schedule words for hip { sweep blocked; }
schedule upper for cuda { sweep blocked; }
schedule upper for hip { sweep blocked; }
schedule turned for cuda { sweep blocked; }
schedule turned for hip { sweep blocked; }
schedule across for cuda { sweep blocked; }
schedule across for hip { sweep blocked; }
schedule batch for cuda { sweep blocked; }
schedule batch for hip { sweep blocked; }
schedule part for cuda { sweep blocked; }
schedule part for hip { sweep blocked; }
schedule cheapest for cuda { sweep blocked; }
schedule cheapest for hip { sweep blocked; }
schedule again for cuda { sweep blocked; }
schedule again for hip { sweep blocked; }
schedule folded for cuda { sweep blocked; }
schedule folded for hip { sweep blocked; }
