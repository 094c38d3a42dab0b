struct V { a, b: f32 }
op first(a: f32, b: f32) -> f32 = a associative;
op nota(a: f32, b: f32) -> f32 = a - b;
const T: i64[3] = [0, 1, 2];
kernel f(x: f32[n], h: bool[n], k: i32[n], off: f32[s], A: f32[n, m], b: f32[n], r: f32, v: V[n] layout soa, c: i64, h2: bool[n, m], hs: i32[s],
	out p: f32[n], out q: f32[n], out P: f32[n, m], out at: i64[n], out w: V[n], out z: i64[n], inout y: f32[n], out s0: f32, out ph: f16[n]) {
	scan p[i] = sum(x[i]), q[i] = sum(p[i]);
	scan y[i] = sum(y[i-1]);
	scan y[i] = sum(y[n - 1 - i]);
	scan p[i] = sum(x[i+1]);
	scan p[0] = sum(x[i]);
	scan P[i, j] = sum[j](A[i, j]) for i in 0..n, j in 0..i;
	scan P[i, j] = sum[i](A[i, j]) for i in 0..min(n, m), j in 0..i+1;
	scan p[i] = sum(x[i]) from right from right;
	scan p[i] = sum(x[i]) from from;
	scan p[i] = sum(x[i]) from;
	scan ph[i] = sum(x[i]);
	scan y[i] = sum(x[i]) from y[0];
}
