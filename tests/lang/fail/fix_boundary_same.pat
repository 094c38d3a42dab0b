kernel f(x: f32[n], out y: f32[n]) { stencil y[i] = x[i-1] boundary (clamp, clamp); }
kernel g(x: f32[n, m], out y: f32[n, m]) { wavefront y[i, j] = y[i-1, j] + x[i, j] boundary (0, 0); }
