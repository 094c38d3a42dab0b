kernel a(x: f32[n], k: i64, out y: f32) { reduce y = kth(x[i], k); }
kernel b(x: f32[n], out y: f32) { reduce y = sum x[i]; }
kernel c(x: f32[n, m], out y: f32[n]) { reduce y[i] = max x[i, j]; }
kernel d(x: f32[n, m], out y: f32) { reduce y = sum x[i, j]; }
