kernel a(x: f32[n], out y: f32[n]) { map y[i] = x[i] for i in range(n); }
kernel b(x: f32[n], out y: f32[n]) { map y[i] = x[i] for i in range(2, n - 1) where x[i] > 0; }
kernel c(x: f32[n], out y: f32) { reduce y = sum[k in range(n)](x[k]); }
fn g(x: f32) -> f32 {
	var s = x;
	for k in range(3) { s *= 2; }
	for k in range(0, 3, 2) { s *= 2; }
	return s;
}
kernel d(x: &[f32], out y: f32[n]) { map y[i] = x[i]; }
kernel e(x: Vec<f32>, out y: f32[n]) { map y[i] = x[i]; }
kernel f(x: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = x[i-1, j] boundary (clamp, constant = 0); }
kernel h(x: f32[n], out y: f32[n]) { map y[i] = x[i] for i in 0..n by 2; }
