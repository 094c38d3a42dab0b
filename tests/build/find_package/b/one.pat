kernel root(x: f32[n], out y: f32[n]) { map y[i] = sqrt(x[i]); }
