kernel a(x: f32[n], out y: f32[n]) { map y[i] = 2 * if (x[i] > 0) 1 else 2; }
kernel b(x: f32[n], out y: f32[n]) { map y[i] = if (x[i] > 0) 1 else if (x[i] < 0) 2 else 3; }
kernel c(x: f32[n], out y: f32[n]) { map y[i] = if x[i] > 0 { 1 } else { 2 }; }
kernel d(x: f32[n], out y: f32[n]) { map y[i] = x[i] if x[i] > 0 else 0; }
kernel e(x: f32[n], out y: f32[n]) { map y[i] = if (x[i] > 0) x[i]; }
