kernel f(x: f32[n], out y: f32[n]) { scatter y[i] = x[i]; }
