// Scans along another axis than the last: columns beside each other, cut into tiles.
struct Matrix { a, b, c, d: f64 }
struct Key { tag: u8, at: i32 }
op product(p: Matrix, q: Matrix) -> Matrix =
	Matrix(p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d, p.c * q.a + p.d * q.c, p.c * q.b + p.d * q.d)
	identity Matrix(1, 0, 0, 1), associative;
op last(a: i32, b: i32) -> i32 = b associative;

kernel down(x: f32[n, m], out p: f32[n, m]) {
	scan p[i, j] = sum[i](x[i, j]);
}
// vectors, several tiles below one another
kernel vectors(x: f32[n, 16], out p: f32[n, 16]) {
	scan p[i, j] = sum[i](x[i, j]);
}
kernel strips(x: i32[n, 132], out p: i32[n, 132]) {
	scan p[i, j] = last[i](x[i, j]) exclusive from -1;
}
kernel up(x: f64[n, m], v: f64, out p: f64[n, m]) {
	scan p[i, j] = sum[i](x[i, j] * x[i, j]) from v exclusive from right;
}
// two equations of different types; a batch before the axis
kernel batch(x: i32[b, n, m], out p: i64[b, n, m], out q: i32[b, n, m]) {
	scan p[k, i, j] = sum[i](i64(x[k, i, j])), q[k, i, j] = 2 * max[i](x[k, i, j]) - x[k, i, j];
}
// the first axis of three; what is read of one index only
kernel small(x: u8[n, l, m], w: u8[n], v: u8[l, m], out p: u8[n, l, m]) {
	scan p[i, k, j] = max[i](min(x[i, k, j], max(w[i], v[k, j])));
}
// as many columns a thread as a block's memory holds the totals of
struct Twelve { a, b, c, d, e, f, g, h, i, j, k, l: f64 }
op twelve(p: Twelve, q: Twelve) -> Twelve =
	Twelve(p.a + q.a, p.b + q.b, p.c + q.c, q.d, q.e, q.f, q.g, q.h, q.i, q.j, q.k, q.l) associative;
kernel memory(x: Twelve[n, 3], out p: Twelve[n, 3], y: u8[n, 16], out at: i64[n, 16]) {
	scan p[i, j] = twelve[i](x[i, j]);
	scan at[i, j] = argmax[i](y[i, j]);
}
struct Pair { a: f16, b: f16, tag: bool }
op right(p: Pair, q: Pair) -> Pair = Pair(q.a, p.b, p.tag != q.tag) associative;
kernel pairs(x: Pair[n, 12], out p: Pair[n, 12]) {
	scan p[i, j] = right[i](x[i, j]) from right;
}
struct Nine { m: f64[9] }
op nine(p: Nine, q: Nine) -> Nine {
	var r = p;
	for i in 0..9 { r.m[i] = i < 4 ? p.m[i] + q.m[i] : q.m[i]; }
	return r;
} associative;
// totals of as many words as threads hold, and of more
kernel nines(x: Nine[n, m], out p: Nine[n, m], inout a: Nine[n, m], inout b: Nine[n, m]) {
	scan p[i, j] = nine[i](x[i, j]);
	scan a[i, j] = nine[i](x[i, j]), b[i, j] = nine[i](b[i, j]);
}
kernel matrices(x: Matrix[n, m], out p: Matrix[n, m]) {
	scan p[i, j] = product[i](x[i, j]);
}
// in place, and the place of the best
kernel place(x: f32[n, 12], inout p: f32[n, 12], out at: i64[n, 12]) {
	scan p[i, j] = p[i, j] + max[i](x[i, j] + p[i, j]), at[i, j] = argmax[i](x[i, j]) from right;
}
kernel halves(x: f16[n, 32], y: bf16[n, 32], out p: f16[n, 32], out q: bf16[n, 32]) {
	scan p[i, j] = sum[i](x[i, j]), q[i, j] = min[i](y[i, j]);
}
// rows that are padded, columns of the caller's
kernel padded(x: f32[n, m] layout row(ld), out p: f32[n, m] layout row(ld), y: i32[n, m] layout col, out q: i32[n, m] layout col) {
	scan p[i, j] = sum[i](x[i, j]);
	scan q[i, j] = sum[j](y[i, j]);
}
// a range of the array, neighbours, another order
kernel inner(x: i32[n, m], z: i32[m, n], inout p: i32[n, m]) {
	scan p[i, j] = sum[i](x[i - 1, j] - x[i, j - 1] + z[j, i]) for i in 1..n, j in 1..m;
}
// ranges of different lengths
kernel triangle(x: i32[m, n, 4], inout p: i32[m, n, 4]) {
	scan p[j, i, k] = sum[i](x[j, i, k]) for j in 0..min(m, n), i in 0..j, k in 0..4;
}
kernel counted(x: i32[n, 8], h: i32[n], inout p: i32[n, 8]) {
	let rows: i64;
	reduce rows = count[i](h[i] != 0);
	scan p[i, j] = sum[i](x[i, j]) for i in 0..rows, j in 0..8;
}
// rows that only the data know, or read where the data say
kernel behind(x: i32[n, 8], h: i32[n], inout p: i32[m, 8]) {
	let rows: i64;
	reduce rows = count[i](h[i] != 0);
	scan p[i, j] = sum[i](x[i, j]) from right for i in 0..min(rows, m), j in 0..8;
}
kernel gathered(x: f32[k, 12], at: i32[n], out p: f32[n, 12]) {
	scan p[i, j] = sum[i](x[at[i], j]);
}
kernel offsets(x: f32[n, m], off: i32[s], inout p: f32[n, m]) {
	scan p[i, j] = sum[i](x[i, j]) segments off;
}
kernel offsets_right(x: i32[n, 16], off: u64[s], inout p: i32[n, 16]) {
	scan p[i, j] = sum[i](x[i, j]) segments off from right exclusive;
}
kernel heads(x: f32[n, m], h: bool[n], v: f32[m], out p: f32[n, m]) {
	scan p[i, j] = sum[i](x[i, j]) heads h from v[j];
}
kernel keys(x: i32[n, 16], k: Key[n], out p: i32[n, 16]) {
	scan p[i, j] = last[i](x[i, j]) keys k from right;
}
kernel lengths(x: i64[n, m], l: i32, out p: i64[n, m]) {
	scan p[i, j] = sum[i](x[i, j]) of l exclusive;
}
// a column in one thread, in the order as written
kernel strictly(x: f32[n, m], out p: f32[n, m]) {
	scan p[i, j] = sum[i](x[i, j]) strict;
}
kernel often(inout x: i32[n, 16], steps: i32) {
	repeat t < steps {
		scan x[i, j] = sum[i](x[i, j] + i32(t));
	}
}
// recurrences
kernel iir(x: f32[n, m], out y: f32[n, m]) {
	scan y[i, j] = (y[i-1, j] ○ 0.5) ◇ x[i, j] using ○ = *, ◇ = +;
}
kernel gates(x: f64[b, n, m], g: f64[b, n, m], out y: f64[b, n, m]) {
	scan y[k, i, j] = (y[k, i+1, j] ○ g[k, i, j]) ◇ x[k, i, j] using ○ = *, ◇ = + from 2;
}
kernel biquad(x: f64[n, m], out y: f64[n, m]) {
	scan y[i, j] = (y[i-1, j] ○ 1.2) ◇ (y[i-2, j] ○ -0.5) ◇ x[i, j] using ○ = *, ◇ = +;
}
kernel best(x: i32[n, m], off: i32[s], inout y: i32[n, m]) {
	scan y[i, j] = (y[i-1, j] ○ -1) ◇ x[i, j] using ○ = +, ◇ = max segments off;
}
