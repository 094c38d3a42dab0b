kernel ahead(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i+1, j] boundary 0; }
kernel reversed(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i, j-1] boundary 0 from right; }
kernel own(out a: i32[n, n]) { wavefront a[i, j] = a[i, j] + a[i-1, j] boundary 0; }
kernel sum(out a: i32[n, n]) { wavefront a[i, j] += a[i-1, j] boundary 0; }
kernel later(out a: i32[n, n], out b: i32[n, n]) { wavefront a[i, j] = b[i, j] + a[i-1, j], b[i, j] = a[i, j] boundary 0; }
kernel masked(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] boundary 0 where p[i, j] > 0; }
kernel part(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] for i in 1..m, j in 0..n; }
kernel mask(out a: f32[m, n]) { wavefront a[i, j] = a[i-1, j] boundary 0 where a[i, j] > 0; }
kernel input(a: i32[n, n]) { wavefront a[i, j] = a[i-1, j] boundary 0; }
