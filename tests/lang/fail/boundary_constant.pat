kernel a(x: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = x[i-1, j-1] boundary (constant 0, clamp); }
