kernel a(x: f32[n], out y: f32[n]) { map y[i] = if (x[i] > 0) x[i] else -x[i]; }
kernel b(x: f32[n], out y: f32[n]) { map y[i] = if x[i] > 0 then x[i] else (x[i] - 1) / 2; }
kernel c(x: f32[n], out y: f32[n]) { map y[i] = max(if (x[i] > 0) x[i] else 0, 1); }
kernel d(x: f32[n], inout y: f32[n]) { map y[i] = x[i] if (x[i] > 0); }
