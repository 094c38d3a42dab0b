kernel later(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + sum[k in j..n](a[i, k]) from right; }
kernel hole(out a: i32[n, n]) { wavefront a[i, j] = j > 0 ? a[i, j-1] + sum[k in 0..j](a[i, k]) : 0 boundary 0 for i in 0..n, j in i..n; }
kernel hole_far(out a: i32[n, n]) { wavefront a[i, j] = sum[k in 0..j](a[i, k]) for i in 0..n, j in i..n; }
kernel hole_mask(q: i32[n], out a: i32[n, n]) { wavefront a[i, j] = sum[k in 0..j](a[i, k]) where q[j] > 0; }
kernel ranged(inout a: i32[n]) { wavefront a[i] = sum[k in 0..(i > 0 ? a[i-1] : 0)](a[k]); }
kernel searched(x: i64[n], out a: i64[n]) { wavefront a[i] = search(a, x[i]); }
kernel inside(x: i64[n], out a: i64[n]) { wavefront a[i] = x[i] + sum[k in 0..i+1](a[k]); }
