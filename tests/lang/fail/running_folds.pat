struct V { a, b: f32 }
op first(a: f32, b: f32) -> f32 = a associative;
op nota(a: f32, b: f32) -> f32 = a - b;
const T: i64[3] = [0, 1, 2];
kernel f(x: f32[n], h: bool[n], k: i32[n], off: f32[s], A: f32[n, m], b: f32[n], r: f32, v: V[n] layout soa, c: i64, h2: bool[n, m], hs: i32[s],
	out p: f32[n], out q: f32[n], out P: f32[n, m], out at: i64[n], out w: V[n], out z: i64[n], inout y: f32[n], out s0: f32, out ph: f16[n]) {
	scan p[i] = x[i];
	scan p[i] = 2 * y[i-1];
	scan P[i, j] = sum(A[i, j]);
	scan P[i, j] = sum[i](A[i, j]) + sum[j](A[i, j]);
	scan P[i, j] = sum[k2](A[i, k2]);
	scan P[i, j] = sum[i, j](A[i, j]);
	scan p[i] = sum[i in 0..n](x[i]);
	scan p[i] = sum(sum(x[i]));
	scan s0 = sum(x[0]);
	scan p[i] = sum(x[i]) from b[i];
	scan p[i] = sum(x[i]) from sum[k2](b[k2]);
	scan p[i] = sum(x[i]) from (1, 2);
	scan p[i] = sum(x[i]), z[i] = count(x[i] > 0) from 1;
	scan at[i] = argmax(x[i]) from 1;
}
