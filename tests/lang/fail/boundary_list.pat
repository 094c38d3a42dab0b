kernel a(x: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = x[i-1, j-1] boundary wrap clamp; }
kernel b(x: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = x[i-1, j-1] boundary wrap, 0; stencil y[i, j] = x[i, j-1] boundary clamp; }
kernel c(x: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = x[i-1, j-1] boundary clamp /* rows */ wrap; }
kernel d(x: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = x[i-1, j-1] boundary constant 0 clamp; }
