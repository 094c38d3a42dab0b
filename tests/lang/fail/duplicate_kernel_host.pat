kernel a(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
kernel a_host(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
