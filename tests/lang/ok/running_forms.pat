// running folds as they may be written: what sema makes of them is computed as the interpreter does
struct Affine { a, b: f32 }
op then(p: Affine, q: Affine) -> Affine = Affine(p.a * q.a, p.b * q.a + q.b) identity Affine(1, 0), associative;
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;
op last(a: i32, b: i32) -> i32 = b associative;

kernel around(x: f32[n], y: f32[n], out p: f32[n], out q: f32[n], out best: f32[n], out at: i64[n]) {
	scan p[i] = 2 * sum(x[i]) - max[i](y[i]) / 4, q[i] = p[i] + x[i], best[i], at[i] = argmin(x[i]);
}
kernel shorter(x: i32[n], out p: i32[n], out e: i32[n]) {
	scan p[i] = last(x[i]);
	scan e[i] = last[i](x[i]) exclusive from -1;
}
kernel behind(long: i64[n], out begin: i64[n+1]) {
	map begin[0] = 0;
	scan begin[i+1] = sum(long[i]) for i in 0..n;
}
kernel own(inout x: f32[n], inout y: f32[n]) {
	scan x[i] = sum(x[i]), y[i] = max(y[i]) + x[i];
}
kernel narrow(x: u8[n], h: f16[n], out total: u8[n], out wide: i32[n], out half: f16[n], out any_: bool[n]) {
	scan total[i] = sum(x[i]), wide[i] = sum(i32(x[i])), half[i] = max(h[i]), any_[i] = any(x[i] > 200) && x[i] != 3;
}
kernel masked(x: f32[n], out p: f32[n], out c: i64[n]) {
	scan p[i] = sum[i where x[i] > 0](x[i]), c[i] = count[i where x[i] > -1](x[i] < 1) from right;
}
kernel gathered(x: f32[n], k: i32[n], out p: f32[n], out q: f32[n, m], r: f32[m]) {
	scan p[i] = lse(x[i]) exclusive;
	scan q[i, j] = sum[i](x[i] * r[j]) from r[j];
}
kernel maps(m: Affine[n], k: u8[n], out p: Affine[n], out q: Affine[n] layout soa) {
	scan p[i] = then(m[i]) keys k;
	scan q[i] = then(m[i]) from right;
}
test by_hand {
	around(x = [3, 1, 2], y = [4, 8, 0]) -> p = [5, 6, 10], q = [8, 7, 12], best = [3, 1, 1], at = [0, 1, 1];
	shorter(x = [5, 6, 7]) -> p = [5, 6, 7], e = [-1, 5, 6];
	behind(long = [2, 0, 3]) -> begin = [0, 2, 2, 5];
	own(x = [1, 2, 3], y = [1, 5, 2]) -> x = [1, 3, 6], y = [2, 8, 11];
	narrow(x = [200, 100, 3], h = [1, 0, 2]) -> total = [200, 44, 47], wide = [200, 300, 303], half = [1, 1, 2],
		any_ = [false, false, false];
	masked(x = [1, -2, 0.5]) -> p = [1.5, 0.5, 0.5], c = [1, 1, 1];
}
