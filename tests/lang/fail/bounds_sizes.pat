kernel f(x: f32[n], y: f32[m], out z: f32[n]) { map z[i] = x[i] + y[i]; }
kernel h(x: f32[n], y: f32[m], out z: f32[n]) { require n == m; map z[i] = x[i] + y[i]; }
