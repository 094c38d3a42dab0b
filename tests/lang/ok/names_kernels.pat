fn a(x: f32) -> f32 = x;
kernel a(x: f32[n], out y: f32[n]) { map y[i] = a(x[i]); }
kernel b(x: f32[n], out y: f32[n]) { map1: map y[i] = a(x[i]); map y[i] += 1 for i in 1..n; }
kernel b_map1(x: f32[n], out y: f32[n]) { map y[i] = a(x[i]); }
kernel c(x: f32[n], out y: f32[n]) { d_map1: map y[i] = a(x[i]); map y[i] += 1 for i in 1..n; }
kernel c_d(x: f32[n], out y: f32[n]) { map y[i] = a(x[i]); map y[i] += 1 for i in 1..n;}
kernel c_d_map1_2(x: f32[n], out y: f32[n]) { map y[i] = a(x[i]); map y[i] += 1 for i in 1..n;}
