// transposes_in_place.pat - squares transposed in place: types, structs, layouts, batches, ranges, masks, arithmetic, temporaries, loops.
struct Pixel { r, g, b: u8 }
struct Complex { re, im: f32 }
struct Mixed { k: i32, v: f64[2], s: i8 }
kernel plain(inout a: f32[n, n]) {
	transpose a[j, i] = a[i, j];
}
kernel kinds(inout b: u8[n, n], inout h: f16[n, n], inout w: bf16[n, n], inout f: bool[n, n], inout d: f64[n, n], inout q: i64[n, n]) {
	transpose b[j, i] = b[i, j];
	transpose h[j, i] = h[i, j];
	transpose w[j, i] = w[i, j];
	transpose f[j, i] = f[i, j];
	transpose d[j, i] = d[i, j];
	transpose q[j, i] = q[i, j];
}
kernel structs(inout p: Pixel[n, n], inout c: Complex[n, n], inout x: Mixed[n, n], inout z: Complex[n, n] layout aosoa(4)) {
	transpose p[j, i] = p[i, j];
	transpose c[j, i] = c[i, j];
	transpose x[j, i] = x[i, j];
	transpose z[j, i] = z[i, j];
}
kernel stored(inout a: f32[n, n] layout col, inout b: f32[n, n] layout row(ld), inout c: i16[n, n] layout tiled(4, 8), inout s: Complex[n, n] layout soa) {
	transpose a[j, i] = a[i, j];
	transpose b[j, i] = b[i, j];
	transpose c[j, i] = c[i, j];
	transpose s[j, i] = s[i, j];
}
kernel batches(inout a: i16[m, n, n], inout b: f32[n, m, n], inout c: u8[n, n, 3], inout d: i32[m, n, k, n]) {
	transpose a[q, j, i] = a[q, i, j];
	transpose b[j, q, i] = b[i, q, j];
	transpose c[j, i, q] = c[i, j, q];
	transpose d[q, j, r, i] = d[q, i, r, j];
}
// a cell is what both cells of its pair have been
kernel around(inout s: f64[n, n], inout t: i32[n, n], x: i32[n], inout u: Complex[n, n], inout v: i32[n, n]) {
	transpose s[j, i] = 0.5 * (s[i, j] + s[j, i]);
	transpose t[j, i] += 2 * t[i, j] + x[j] - i32(i);
	transpose u[j, i] = Complex(u[i, j].re, -u[i, j].im);
	transpose v[j, i] = v[i, j] where v[i, j] > v[j, i] && (i + j) % 3 != 0;
}
kernel parts(inout a: f32[n, m], inout b: i32[n, n], inout c: f32[n+1, n+1]) {
	transpose a[j, i] = a[i, j] for i in 0..min(n, m), j in 0..min(n, m);
	transpose b[j, i] = b[i, j] for i in 1..n-1, j in 1..n-1;
	transpose c[j, i] = c[i, j];
}
// rows of whole accesses: whole and ragged tiles, batches
kernel wide(inout a: f32[136, 136], inout b: u8[272, 272], inout c: f16[2, 72, 72], inout d: f64[66, 66], inout e: i32[68, 3, 68], s: f32) {
	words: transpose a[j, i] = s * a[i, j] - a[j, i];
	bytes: transpose b[j, i] = b[i, j];
	transpose c[q, j, i] = c[q, i, j];
	doubles: transpose d[j, i] = d[i, j];
	cached: transpose e[j, q, i] = e[i, q, j];
}
schedule wide for cuda { words: tile 32 x 32; bytes: vector 4; doubles: vector 1; cached: stage l1; }
kernel turns(inout a: f32[n, n], x: f32[n, n], steps: i32, out y: f32[n, n], out z: f32[n, n]) {
	let t: f32[n, n];
	let u: f32[n, n];
	map t[i, j] = x[i, j] + 1;
	transpose t[j, i] = t[i, j];
	map y[i, j] = t[i, j] * 2;
	map u[i, j] = 2 * x[i, j];
	repeat k < steps {
		transpose a[j, i] = a[i, j] + f32(k) * u[j, i];
		swap a, t;
	}
	map z[i, j] = t[i, j];
	transpose z[j, i] = z[i, j];
}
test of_squares {
	plain(a = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]) -> a = [[1, 4, 7], [2, 5, 8], [3, 6, 9]];
	around(s = [[1, 2], [6, 4]], t = [[1, 2], [3, 4]], x = [10, 20], u = [[Complex(1, 2), Complex(3, 4)], [Complex(5, 6), Complex(7, 8)]], v = [[1, 5], [3, 9]])
		-> s = [[1, 4], [4, 4]], t = [[13, 17], [27, 31]], u = [[Complex(1, -2), Complex(5, -6)], [Complex(3, -4), Complex(7, -8)]], v = [[1, 5], [5, 9]];
}
