// what runs along an axis, as running.h keeps it
struct V { a, b: f32 }
op affine(p: V, q: V) -> V = V(p.a * q.a, p.a * q.b + p.b) identity V(1, 0), associative;
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
        identity -inf, associative, commutative;
kernel folds(x: f32[n], h: bool[n], k: i32[n], off: u16[s], A: f32[n, m], b: f32[n], r: f32, v: V[n], c: i64,
	out p: f32[n], out q: f32[n], out P: f32[n, m], out at: i64[n], out w: V[n], out z: i64[n], inout y: f32[n],
	out o: f32[n+1], out B: bool[n]) {
	scan p[i] = sum(x[i]), q[i] = max(x[i]);
	scan P[i, j] = sum[j](A[i, j]) exclusive from right from b[i];
	scan P[i, j] = sum[i](A[i, j]) from (r * 2) exclusive;
	scan p[i] = lse(x[i]) from right;
	scan p[i] = 2 * lse[i](x[i]) + sum(x[i]) / x[i];
	scan q[i], at[i] = argmax(x[i]), p[i] = sum(x[i]) + q[i];
	scan q[i], at[i] = argmin[i where x[i] > 0](x[i]);
	scan w[i] = affine(v[i]) heads h;
	scan z[i] = count(x[i] > 0) keys k from right exclusive;
	scan at[i] = argmax(x[i]) of c;
	scan y[i] = sum(y[i]) segments off strict;
	scan o[i+1] = sum(x[i]) for i in 0..n;
	scan B[i] = any(x[i] > 0), B[i] = all[i](x[i] < 1) && B[i];
	scan p[i] = min(x[i]) inclusive approx of 12;
	scan p[i] = prod(i > 0 ? x[i-1] : 0);
}
