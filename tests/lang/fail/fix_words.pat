kernel needless(x: f32[n], out y: f32[n]) { map y[i] = x[i] unique; }
kernel places(x: f32[n], out at: i64[n]) { scan at[i] = argmax(x[i]) from 1; }
kernel dense(a: f64[m, 4, 4], d: f64[m, 4], out x: f64[m, 4]) { solve x[k, i] in sum[j](a[k, i, j] * x[k, j]) = d[k, i] pivot; }
kernel invented(k: i64, out y: f32) { let t: f32[k]; map t[i] = 1 for i in 0..k; reduce y = sum[i](t[i]); }
