kernel a(x: f32[n], out y: f32[n]) { scan y[i] = 0.5 * y[i-1] + x[i] boundary 0; }
kernel b(x: f32[n], out y: f32[n]) { scan y[i] = sum(x[i]) boundary clamp; }
kernel c(inout y: f32[n], inout v: f32[n]) { sort y desc with v; sort y ascending; }
kernel d(inout y: f32[n]) { sort y quickly; }
kernel e(x: f32[n], out y: f32[n]) { scan y[i] = sum(x[i]) quickly; }
kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i] for i in 0..n step 2; }
