kernel two(q: i32[n], r: i32[n], out a: i32[n, n]) { wavefront a[i, j] = (i > 0 ? a[q[j], j] : 0) + (j > 0 ? a[i, r[j]] : 0); }
kernel own(out a: i32[n]) { wavefront a[i] = i > 0 ? a[a[i-1]] : 0; }
kernel near(q: i32[n], out a: i32[n]) { wavefront a[i] = a[i-1] + a[q[i]] boundary 0; }
kernel far(q: i32[n], out a: i32[n]) { wavefront a[i] = sum[k in 0..i](a[k]) + a[q[i]]; }
kernel hole(q: i32[n], out a: i32[n]) { wavefront a[i] = a[q[i]] for i in 1..n; }
kernel mask(q: i32[n], out a: i32[n]) { wavefront a[i] = a[q[i]] where q[i] >= 0; }
kernel both(q: i32[n], out a: i32[n, n]) { wavefront a[i, j] = a[q[i], q[j]]; }
