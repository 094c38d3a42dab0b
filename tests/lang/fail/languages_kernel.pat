kernel a(x: f32[n], out y: f32) { var s: f32; reduce s = sum[i](x[i]); map y = s; }
kernel b(x: f32[n], out y: f32) { var s = 0; reduce y = sum[i](x[i]); }
kernel c(x: [f32; n], out y: f32[n]) { map y[i] = x[i]; }
kernel d(x: [[f32; n]; m], out y: f32[n]) { map y[i] = x[0, i]; }
kernel e(x: f32[n], out y: f32[n]) { map y[i] = x[i] where x[i] > 0.5, i > 3; }
kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i] where x[i] > 0 || x[i] < -1, i > 3; }
kernel g(x: f32[n], out y: f32[n]) { for i in 0..n { y[i] = x[i]; } }
kernel h(x: f32[n], out y: f32[n]) { let mut s: f32 = 0; map y[i] = x[i] + s; }
kernel i(x: f32[n], k: i32, out y: f32[n]) { if k > 1 { map y[i] = 1; } elif k > 0 { map y[i] = 2; } else { map y[i] = x[i]; } }
