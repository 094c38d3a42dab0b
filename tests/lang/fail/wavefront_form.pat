kernel far(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + (i > 0 && 2*j < n ? a[i-1, 2*j] : 0) boundary 0; }
kernel turned(p: f32[n, n], inout a: f32[n, n]) { wavefront a[i, j] = p[i, j] + (i > 0 ? a[j, i-1] : 0) boundary 0; }
kernel looked(q: i32[n], out a: i32[m, n]) { wavefront a[i, j] = i > 0 ? a[i-1, q[j]] : 0 boundary 0; }
kernel alone(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] boundary 0; }
kernel itself(p: f32[m, n], inout a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i, j] boundary 0; }
kernel ranks(p: f32[m, n], out a: f32[m, n], out b: f32[m]) { wavefront a[i, j] = p[i, j] + a[i-1, j], b[i] = a[i, 0] boundary 0; }
kernel plane(p: i32[m, n], inout a: i32[m, n]) { wavefront a[i, 3] = p[i, 3] + a[i-1, 3] boundary 0; }
kernel order(p: f32[m, n], out a: f32[m, n], out b: f32[n, m]) { wavefront a[i, j] = p[i, j] + a[i-1, j], b[j, i] = a[i, j] boundary 0; }
kernel scalar(p: f32[m, n], out s: f32) { wavefront s = p[0, 0] + s boundary 0; }
kernel factor(out a: f32[m, n]) { wavefront a[2*i, j] = a[2*i-1, j] boundary 0 for i in 0..m/2, j in 0..n; }
kernel shift(inout a: i32[m, n], k: i32) { wavefront a[i, j+k] = a[i-1, j+k] boundary 0 for i in 0..m, j in 0..n; }
kernel diagonal(p: f32[n, n], inout a: f32[n, n]) { wavefront a[i, i] = p[i, i] + a[i-1, i] boundary 0 for i in 0..n; }
kernel two(p: f32[m, n], out a: f32[m, n], out q: i64[m, n]) { wavefront a[i, j], q[i, j] = argmax[k](p[i, k]) boundary 0; }
struct S { x, y: f32 }
kernel field(p: f32[m, n], inout a: S[m, n]) { wavefront a[i, j].x = p[i, j] + a[i-1, j].x boundary S(0, 0); }
kernel twice(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j], a[i, j] = 3 boundary 0; }
kernel below(p: f32[n], out a: f32[n]) { wavefront a[i] = p[i] + a[i-1] boundary 0 from below; }
kernel fold(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + (i > 0 ? sum[k in 0..n](a[i-1, k]) : 0) boundary 0; }
