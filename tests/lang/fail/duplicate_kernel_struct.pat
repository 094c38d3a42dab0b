struct a { x: f32 }
fn b(x: f32) -> f32 = x;
kernel a(x: a[n], out y: f32[n]) { map y[i] = x[i].x; }
kernel fn_b(x: f32[n], out y: f32[n]) { map y[i] = b(x[i]); }
