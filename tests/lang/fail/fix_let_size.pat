kernel f(x: f32[rows], out y: f32[rows]) { let u: f32[rowz]; map u[i] = x[i]; map y[i] = u[i]; }
