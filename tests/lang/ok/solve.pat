// Tridiagonal and bidiagonal equations: systems along the last axis, the first and one between; arrays, scalars and
// constants as coefficients; guards instead of a boundary; a form that is taken apart; f64; loops and temporaries.
struct Face { left, right: f32 }
kernel tri(a: f32[m, n], c: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in a[s, i] * x[s, i-1] + (abs(a[s, i]) + abs(c[s, i]) + 1) * x[s, i] + c[s, i] * x[s, i+1] = d[s, i]
		boundary 0;
}
kernel interleaved(a: f32[n, m], c: f32[n, m], d: f32[n, m], out x: f32[n, m]) {
	solve x[i, s] in a[i, s] * x[i-1, s] + (abs(a[i, s]) + abs(c[i, s]) + 1) * x[i, s] + c[i, s] * x[i+1, s] = d[i, s]
		boundary (0);
}
kernel diffusion(u: f32[n], r: f32, out x: f32[n]) {
	solve x[i] in x[i] - abs(r) * (x[i-1] - 2 * x[i] + x[i+1]) = u[i] boundary 0;
}
kernel poisson(f: f64[n], out x: f64[n]) { solve x[i] in -x[i-1] + 2 * x[i] - x[i+1] = f[i] boundary 0; }
kernel guarded(d: f64[m, n], out x: f64[m, n]) {
	solve x[s, i] in (i > 0 ? 0.25 * x[s, i-1] : 0) + x[s, i] + (i + 1 < n ? 0.5 * x[s, i+1] : 0) = d[s, i];
}
kernel lower(d: f32[n], out x: f32[n]) { solve x[i] in 0.5 * x[i-1] + x[i] / 2 = d[i] + 1 boundary 0; }
kernel upper(p: Face[n], d: f32[k, n, m], out x: f32[k, n, m]) {
	solve x[q, i, s] in (2 + abs(p[i].left)) * x[q, i, s] + p[i].left * x[q, i+1, s] = d[q, i, s] boundary 0;
}
kernel known(d: f32[n], left: f32, out x: f32[n]) {
	solve x[i] in i == 0 || i == n - 1 ? x[i] : x[i-1] - 3 * x[i] + x[i+1] = i == 0 ? left : d[i];
}
kernel columns(a: f32[m, n] layout col, d: f32[m, n] layout col, out x: f32[m, n] layout col) {
	solve x[s, i] in a[s, i] * x[s, i-1] + (2 + 2 * abs(a[s, i])) * x[s, i] - a[s, i] * x[s, i+1] = d[s, i] boundary 0;
}
kernel staggered(k: f32[n+1], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in (1 + abs(k[i]) + abs(k[i+1])) * x[s, i] - abs(k[i]) * x[s, i-1] - abs(k[i+1]) * x[s, i+1] = d[s, i]
		boundary 0;
}
kernel steps(inout u: f32[n, m], r: f32, steps: i32) {
	let half: f32[n, m];
	repeat t < steps {
		solve half[i, j] in (1 + 2 * abs(r)) * half[i, j] - abs(r) * (half[i, j-1] + half[i, j+1]) = 0.5 * u[i, j] boundary 0;
		solve u[i, j] in (1 + 2 * abs(r)) * u[i, j] - abs(r) * (u[i-1, j] + u[i+1, j]) = half[i, j] boundary 0;
	}
}
kernel fused(a: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	let right: f32[m, n];
	map right[s, i] = d[s, i] * d[s, i] + 1;
	solve x[s, i] in 4 * x[s, i] + clamp(a[s, i], -1, 1) * x[s, i+1] = right[s, i] boundary 0;
}
kernel lengths(bind: u8[n], d: f32[3, 40*n+1], e: f64[2, 6*n+1], out x: f32[3, 40*n+1], out y: f64[2, 6*n+1]) {
	solve x[s, i] in x[s, i-1] + 4 * x[s, i] + x[s, i+1] = d[s, i] boundary 0;
	solve y[s, i] in y[s, i-1] + 4 * y[s, i] + 2 * y[s, i+1] = e[s, i] boundary 0;
}
kernel numbers(d: f32[7, 33], e: f64[3, 64], f: f32[2, 65], g: f64[3, 127], h: f32[2, 300], out a: f32[7, 33], out b: f64[3, 64],
		out c: f32[2, 65], out i: f64[3, 127], out j: f32[2, 300]) {
	solve a[s, r] in 3 * a[s, r] + a[s, r+1] = d[s, r] boundary 0;
	solve b[s, r] in 3 * b[s, r] - b[s, r+1] + b[s, r-1] = e[s, r] boundary 0;
	solve c[s, r] in 3 * c[s, r] - c[s, r+1] - c[s, r-1] = f[s, r] boundary 0;
	solve i[s, r] in 3 * i[s, r] - i[s, r-1] = g[s, r] boundary 0;
	solve j[s, r] in 2 * j[s, r] - j[s, r-1] - j[s, r+1] = h[s, r] boundary 0;
}
kernel tall(d: f32[31, 33], e: f32[200, 35], f: f64[128, 3], g: f32[511, 2], h: f32[1000, 2], out a: f32[31, 33], out b: f32[200, 35],
		out c: f64[128, 3], out i: f32[511, 2], out j: f32[1000, 2]) {
	solve a[r, s] in 3 * a[r, s] + a[r+1, s] = d[r, s] boundary 0;
	solve b[r, s] in 3 * b[r, s] - b[r+1, s] + b[r-1, s] = e[r, s] boundary 0;
	solve c[r, s] in 3 * c[r, s] - c[r+1, s] - c[r-1, s] = f[r, s] boundary 0;
	solve i[r, s] in 3 * i[r, s] - i[r-1, s] = g[r, s] boundary 0;
	solve j[r, s] in 2.5 * j[r, s] - j[r-1, s] - j[r+1, s] = h[r, s] boundary 0;
}
kernel wide(d: f32[3, 1000], e: f64[2, 4096], f: f32[2, 4097], out a: f32[3, 1000], out b: f64[2, 4096], out c: f32[2, 4097]) {
	solve a[s, r] in 3 * a[s, r] + a[s, r+1] = d[s, r] boundary 0;
	solve b[s, r] in 2 * b[s, r] - b[s, r+1] - b[s, r-1] = e[s, r] boundary 0;
	solve c[s, r] in 3 * c[s, r] - c[s, r+1] - c[s, r-1] = f[s, r] boundary 0;
}
kernel long(d: f32[9001], e: f64[2, 6144], f: f32[5000, 2], out a: f32[9001], out b: f64[2, 6144], out c: f32[5000, 2]) {
	solve a[r] in 2 * a[r] - a[r-1] - a[r+1] = d[r] boundary 0;
	solve b[s, r] in (r > 0 ? b[s, r-1] : 0) + (r + 1 < 6144 ? b[s, r+1] : 0) + 2.25 * b[s, r] = e[s, r];
	solve c[r, s] in 3 * c[r, s] + abs(d[r]) * (c[r, s] - c[r-1, s]) = f[r, s] boundary 0;
}
kernel many(a: f64[2048], d: f64[129, 2048], out x: f64[129, 2048]) {
	solve x[r, s] in a[s] * x[r-1, s] + (1 + 2 * abs(a[s])) * x[r, s] - a[s] * x[r+1, s] = d[r, s] boundary 0;
}
kernel ends(d: f32[m, n], left: f32[m], r: f64, out x: f32[m, n], out y: f32[m, n], out z: f64[m, n]) {
	solve x[s, i] in 4 * x[s, i] - x[s, i-1] - x[s, i+1] = d[s, i] boundary (left[s]);
	solve y[s, i] in 4 * y[s, i] - abs(d[s, i]) * (y[s, i-1] - 2 * y[s, i] + y[s, i+1]) = d[s, i] boundary clamp;
	solve z[s, i] in 3 * z[s, i] - z[s, i-1] + z[s, i+1] = f64(d[s, i]) boundary r;
}
test equations {
	ends(d = [[0, 0], [1, 1]], left = [5, 0], r = 7) -> y = [[0, 0], [0.25, 0.25]], x = [[1.66666663, 1.66666663], [0.333333343, 0.333333343]] within 0.000001;
	tri(a = [[0, 1]], c = [[1, 0]], d = [[4, 5]]) -> x = [[1, 2]] within 0.000001;
	poisson(f = [1, 1, 1]) -> x = [1.5, 2, 1.5];
	poisson(f = [2]) -> x = [1];
	lower(d = [0, 1]) -> x = [2, 2];
}
