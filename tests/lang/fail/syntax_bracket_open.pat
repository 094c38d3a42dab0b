kernel a(x: f32[n], out y: f32[n]) { map y[i] = exp(x[i]; }
kernel b(x: f32[n], out y: f32[n]) { map y[i] = exp(x[i] + 1; }
kernel c(x: f32[n], out y: f32[n]) { map y[i = x[i]; }
kernel d(x: f32[n], out y: f32[n]) { stencil y[i] = max(x[i-1], x[i] boundary clamp; }
kernel e(x: f32[n], out y: f32[n]) { map y[i] = x[i] * min(x[i], 1 for i in 0..n; }
kernel f(x: f32[n], out y: f32[n]) { map y[i] = exp(x[i] x[i]); }
kernel g(x: f32[n], out y: f32[n]) { map y[i] = exp(x[i); }
kernel h(x: f32[n], out y: f32[n]) { map y[i] = x[(i]; }
kernel k(x: f32[n], out y: f32[n]) {
	map y[i] = exp(
		x[i];
}
kernel l(x: f32[n], out s: f32) { reduce s = sum[i(x[i]); }
kernel m(x: f32[n], out y: f32[n]) { map y[i] = min(max(x[i], 0, 1; }
