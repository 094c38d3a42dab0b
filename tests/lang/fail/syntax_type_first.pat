kernel a(float x[n], out y: f32[n]) { map y[i] = x[i]; }
kernel b(x: f32[n], out float y[n]) { map y[i] = x[i]; }
kernel c(double gain, x: f32[n], out y: f64[n]) { map y[i] = gain * x[i]; }
kernel d(int32_t x[n, m + 1], f64 z) { }
kernel e(x: f32[n], out y[n]) { map y[i] = x[i]; }
kernel f(Atom x[n]) { }
kernel g(float *x, int n) { }
kernel h(float x[], out y: f32[n]) { }
fn k(float x) -> f32 = x;
