// transposes.pat - forms of transposes: permutations, batches, types and structs, around what is read, masks, ranges, layouts, chains.
struct Pixel { r, g, b: u8 }
struct Atom { x, y, z: f32 }
struct Pair { a: f64, b: i64 }
struct Mixed { k: i32, v: f64[2], s: i8 }
fn gray(p: Pixel) -> f32 = 0.3 * f32(p.r) + 0.6 * f32(p.g) + 0.1 * f32(p.b);
kernel plane(A: f32[n, m], inout B: f32[m, n], alpha: f32, beta: f32, C: f32[n, m] layout row(ld), out D: f32[m, n] layout row(le)) {
	transpose B[j, i] = alpha * A[i, j] + beta * B[j, i];
	transpose D[j, i] = C[i, j];
}
kernel axes(A: i32[a, b, c], out B: i32[b, a, c], out C: i32[c, a, b], out D: i32[c, b, a], out E: i32[a, c, b], out F: i32[b, c, a]) {
	transpose B[j, i, k] = A[i, j, k];
	transpose C[k, i, j] = A[i, j, k];
	transpose D[k, j, i] = A[i, j, k];
	transpose E[i, k, j] = A[i, j, k];
	transpose F[j, k, i] = A[i, j, k];
}
kernel small(p: u8[n, m], h: f16[n, m], w: bf16[n, m], b: bool[n, m], out q: u8[m, n], out g: f32[m, n], out v: bf16[m, n], out c: bool[m, n]) {
	transpose q[j, i] = p[i, j];
	transpose g[j, i] = f32(h[i, j]) * 2 strict;
	transpose v[j, i] = w[i, j];
	transpose c[j, i] = !b[i, j];
}
kernel wide(p: Pixel[n, m], a: Atom[n, m], e: Pair[n, m], x: Mixed[n, m], out q: Pixel[m, n], out b: Atom[m, n], out f: Pair[m, n],
            out y: Mixed[m, n], out g: f32[m, n], out k: i64[m, n]) {
	transpose q[j, i] = p[i, j];
	transpose b[j, i] = a[i, j];
	transpose f[j, i] = e[i, j];
	transpose y[j, i] = x[i, j];
	transpose g[j, i] = gray(p[i, j]);
	transpose k[j, i] = e[i, j].b;
}
kernel parts(A: f32[n, m], row: f32[n], column: f32[m], inout B: f32[m, n], inout C: f32[m, n], E: f64[k, n, m, l], out F: f64[l, m, k, n]) {
	transpose B[j, i] = A[i, j] * row[i] + column[j] where i < j;
	transpose C[j, i] = A[i, j] for i in 1..n-1, j in 0..m-2;
	transpose F[d, c, a, b] = E[a, b, c, d];
}
kernel stored(A: f32[n, m] layout col, p: Atom[n, m] layout soa, out B: f32[m, n], out q: Atom[m, n] layout aosoa(4), out r: Atom[m, n]) {
	transpose B[j, i] = A[i, j];
	transpose q[j, i] = p[i, j];
	transpose r[j, i] = p[i, j];
}
kernel chain(A: f32[n, m], B: f32[n, m], out C: f32[m, n], out D: f32[n, m], out s: f32[n, m]) {
	let t: f32[n, m];
	let u: f32[m, n];
	map t[i, j] = A[i, j] + B[i, j];
	transpose u[j, i] = t[i, j];
	map C[j, i] = u[j, i] * u[j, i];
	transpose D[i, j] = C[j, i], s[i, j] = 2 * C[j, i];
}
kernel thin(a: f32[n, 3], b: f32[4, n], w: u8[2, n, 3], out d: f32[3, n], out e: f32[n, 4], out f: u8[2, 3, n]) {
	transpose d[c, i] = a[i, c];
	transpose e[i, c] = b[c, i];
	transpose f[q, c, i] = w[q, i, c];
}
kernel turns(inout A: i16[n, n], steps: i32) {
	let B: i16[n, n];
	repeat t < steps {
		transpose B[j, i] = A[i, j];
		map A[i, j] = B[i, j];
	}
}
// Masks and branches that keep reads inside: a tile would bring what they leave out.
kernel guarded(A: f32[k, l], out B: f32[m, n], out C: f32[m, n], out D: f32[l, k]) {
	transpose B[j, i] = i < k && j < l ? A[i, j] : 0;
	transpose C[j, i] = A[i, j] where i < k && j < l;
	transpose D[j, i] = A[i, j] > 0 ? A[i, j] : 0;
}
kernel planes(x: f16[n, m, n], inout y: f16[n, n]) {
	scatter y[j, i] += x[i, 0, j] where m > 0 for i in 0..n, j in 0..n;
}
test of_guards {
	guarded(A = [[1, 2]], m = 3, n = 2, C = 9) -> B = [[1, 0], [2, 0], [0, 0]], D = [[1], [2]];
}
