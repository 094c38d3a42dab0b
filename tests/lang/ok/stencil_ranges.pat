// Ranges that begin below zero or where the caller says; keep, over arrays of several sizes and far windows.
kernel a1(x: f32[n], out y: f32[n]) { stencil y[i+1] = x[i] + x[i+2] boundary clamp for i in -1..n-1; }
kernel a2(x: f32[n, m], out y: f32[n, m]) { stencil y[i+1, j+2] = x[i, j] + x[i+2, j+3] boundary wrap for i in -1..n-1, j in -2..m-2; }
kernel a3(x: f32[n, m], inout y: f32[n, m]) { stencil y[i+1, j+2] = x[i, j] + x[i+2, j+3] boundary keep for i in -1..n-1, j in -2..m-2; }
kernel a4(x: f32[n, m], inout y: f32[n, m]) { stencil y[i, j] = sum[k in 0..3, l in 0..3](x[i+k-1, j+l-1]) boundary keep; }
kernel a5(x: f32[n], inout y: f32[n]) { stencil y[i] = sum[k in 0..3](x[i+k-1]) boundary keep; }
kernel a6(x: f32[n], z: f32[n+1], inout y: f32[n]) { stencil y[i] = x[i+1] + z[i+1] + z[i] boundary keep; }
kernel a7(x: f32[n], z: f32[n+1], w: f32[p], inout y: f32[n]) { stencil y[i] = x[i-1] + w[i-1] + z[i+1] boundary keep; }
kernel a8(x: f32[n], inout y: f32[n]) { stencil y[i] = sum[k in 0..40](x[i+k-20]) boundary keep; }
kernel a9(x: f32[n], d: i64, inout y: f32[n]) { stencil y[i] = x[i-1] + x[i+1] boundary keep where x[i-2] > 0; }
kernel a10(x: f32[n, m], inout y: f32[n, m]) { stencil y[i, j] = x[i-1, j] + x[i+1, j-1] boundary (keep, wrap); }
