kernel a(x: f32[n], out v: f32, out w: f32) { reduce v = kth[i](x[i], 1), w = sum[i](x[i]); }
kernel b(x: f32[n], inout v: f32) { reduce v += kth[i](x[i], 1); }
kernel c(x: f32[n, m], inout v: f32[n]) { reduce v[i] = kth[j](x[i, j], 1) where x[i, 0] > 0; }
kernel d(x: f32[n, m], out v: f32, out w: f32) { reduce v, w = kth[i, j](x[i, j], 1); }
kernel e(x: f32[n], out v: f32) { reduce v = kth[i](x[i]); }
kernel g(x: bool[n], out v: bool) { reduce v = kth[i](x[i], 1); }
kernel h(x: f32[n], m: i32, out v: f32) { reduce v = kth[i in 0..m](x[i], 1); }
kernel i(inout x: f32[n]) { reduce x[0] = kth[j](x[j], 1); }
kernel j(x: f32[n], p: i32[m], out v: f32) { reduce v = kth[i](x[p[i]], 1); }
kernel k(x: f32[n], out v: f32) { reduce v = 2 * kth[i](x[i], 1); }
kernel l(x: f64[n], out v: f32) { reduce v = kth[i](x[i], 1); }
kernel m(x: f32[n], out v: f32[m]) { map v[j] = kth[i](x[i], 1); }
kernel p(x: f32[n, m], s: i32, inout v: f32[n]) { reduce v[i] = kth[j](x[i, j], 0) for i in 1..s; }
kernel q(x: f32[8], inout v: f32) { reduce v = kth[i](x[i], 8); }
kernel r(x: f32[n], inout v: f32) { reduce v = kth[i](x[i], -1); }
kernel s(x: f32[n], p: i32[m], inout v: f32) { reduce v = kth[i where x[p[i]] > 0](f32(p[i]), 1); }
kernel t(x: f32[n], inout v: f32) { reduce v = kth[i where x[i] > v](x[i], 1); }
