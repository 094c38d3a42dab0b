kernel plain(p: i32[m, n], out a: i32[m, n]) { w: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] boundary 0; }
schedule plain for cuda { w: sweep ready; }
kernel three(q: i32[n, 2], out a: i32[l, m, n]) { w: wavefront a[k, j, i] = sum[e](a[k, j, q[i, e]]); }
schedule three for cuda { w: sweep ready; }
kernel two(q: i32[n, 2], out a: i32[n], out b: i32[n]) { w: wavefront a[i] = sum[e](a[q[i, e]]), b[i] = a[i] + sum[e](b[q[i, e]]); }
schedule two for cuda { w: sweep ready; }
kernel masked(q: i32[n, 2], inout a: i32[n]) { w: wavefront a[i] = sum[e](a[q[i, e]]) where i % 3 > 0; }
schedule masked for cuda { w: sweep ready; }
kernel cut(q: i32[n, 2], inout a: i32[n, n]) { w: wavefront a[i, j] = sum[e](a[q[i, e], j]) for i in 0..n, j in 0..i; }
schedule cut for cuda { w: sweep ready; }
kernel half(q: i32[n, 2], out a: f16[n]) { w: wavefront a[i] = f16(1 + sum[e](a[q[i, e]])); }
schedule half for cuda { w: sweep ready; }
kernel followed(q: i32[n, 2], out a: i32[n], out s: i32) { w: wavefront a[i] = 1 + sum[e](a[q[i, e]]) trusted; reduce s = sum[i](a[i]); }
schedule followed for cuda { w: sweep ready; }
kernel outside(q: i32[n], out a: i32[n]) { w: wavefront a[i] = 1 + a[q[i]]; }
schedule outside for cuda { w: sweep ready; }
kernel lazily(q: i32[n, 2], out a: i32[n]) { w: wavefront a[i] = i > 3 ? sum[e](a[q[i, e]]) : 1; }
schedule lazily for cuda { w: sweep ready; }
kernel twice(q: i32[n, 2], out a: i32[n]) { w: wavefront a[i] = sum[e](a[q[i, e]] * a[q[i, e]]); }
schedule twice for cuda { w: sweep ready; }
