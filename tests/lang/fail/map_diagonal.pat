kernel f(a: f32[n, n], out d: f32[n]) { map d[i] = a[i, i]; }
kernel g(a: f32[n, n, n], out d: f32[n, n]) { map d[i, j] = a[i, j, i]; }
kernel h(a: f32[n, n], out d: f32[n, n]) { map d[i, j] = a[j, i]; }
