kernel a(x: f32[n, m], out y: f32[n, m]) { map y[i, j] = x[i][j]; }
kernel b(x: f32[n], out y: f32[n]) { map y[i] = .5 * x[i]; }
kernel c(x: f32[n], out y: f32[n]) { map y[i] = if x[i] > 0 ? 1 : 0; }
kernel d(x: f32[n], out y: f32[n]) { map y[i] = x[i] if i > 3; }
kernel e(x: f32[n], out y: f32[n]) { map y[i] = 2 * (x[i] + 1; }
kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i + 1; }
kernel g(float x[n], out y: f32[n]) { map y[i] = x[i]; }
fn h(m: f32[2][2]) -> f32 = m[0, 0];
