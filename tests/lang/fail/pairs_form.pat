kernel f(k: i32[n], x: f32[n], inout y: f32[n]) { pairs y[i] = sum[j](k[i] * k[i + j]) within 2 of x; }
kernel g(a: f32[n, m], x: f32[m], out y: f32[n]) { pairs y[i] = sum[j](a[i, j] * x[j]); }
kernel h(x: f32[n], out y: f32[n]) { pairs y[i] = sum[j](x[i - j + n]); }
kernel k(x: f32[n], out y: f32[n]) { pairs y[i] = 2 * x[i]; }
kernel l(x: f32[n], k: i64[n], out y: f32[n]) { pairs y[i] = sum[j](x[j] * x[k[i] + j]); }
