kernel f(x: f32[n], out s: f32) { scan s = sum[i](x[i]); }
kernel g(x: f32[n, m], out s: f32[n]) { scan s[i] = max[j](x[i, j]); }
