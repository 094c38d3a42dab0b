kernel own(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] boundary a[i+1, j]; }
kernel other(out a: f32[m, n], out b: f32[m, n]) { wavefront a[i, j] = a[i-1, j], b[i, j] = a[i, j] - b[i-1, j] boundary (0, a[0, 0]); }
kernel fold(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] boundary sum[k](p[0, k]); }
kernel fold2(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] boundary (1 + max[k](p[0, k])); }
kernel many(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] boundary (0, 1); }
kernel three(out a: f32[m, n], out b: f32[m, n]) { wavefront a[i, j] = a[i-1, j], b[i, j] = a[i, j] boundary (0, 1, 2); }
kernel wrap(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] boundary wrap; }
kernel keep(out a: f32[m, n], out b: f32[m, n]) { wavefront a[i, j] = a[i-1, j], b[i, j] = b[i-1, j] boundary (0, keep); }
kernel typed(p: i32[m, n], out a: i32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] boundary 0.5; }
kernel typed2(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] boundary (i < 0); }
kernel nothing(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] boundary; }
kernel nothing2(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j] boundary constant; }
