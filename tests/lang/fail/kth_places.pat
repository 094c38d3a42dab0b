kernel f(x: f32[n, m], inout v: f32[n]) { reduce v[i] = kth[j](x[i, j], count[j](x[i, j] > 0)); }
kernel u(x: f32[n, m], k: i32[n], p: i32[n], inout v: f32[n]) { reduce v[i] = kth[j](x[i, j], k[p[i]]); }
kernel w(x: i32[n, m], inout v: i32[n]) { reduce v[i] = kth[j](x[i, j], v[i]); }
kernel y(x: f32[n, m], inout v: f32[n]) { reduce v[i] = kth[j](x[i, j], j); }
kernel z(x: f32[n, m], k: f32[n], inout v: f32[n]) { reduce v[i] = kth[j](x[i, j], k[i]); }
kernel out(x: f32[n, m], k: i32[p], inout v: f32[n]) { reduce v[i] = kth[j](x[i, j], k[i]); }
kernel own(x: i32[n, m], inout k: i32[n]) { let c: i32; reduce c = sum[i](k[i]); reduce c = kth[i](k[i], c); }
kernel axes(x: f32[n, 2, 2, 2, 2, 2, 2, 2], y: f32[p], inout v: f32[n, 2, 2, 2, 2, 2, 2]) { reduce v[a, b, c, d, e, f, g] = kth[h, i](x[a, b, c, d, e, f, g, h] * y[i], 0); }
kernel four(x: f32[2, 2], inout v: f32) { reduce v = kth[i, j](x[i, j], 4); }
kernel half(x: f32[n, n], inout v: f32) { reduce v = kth[i, j in 0..i](x[i, j], 0); }
