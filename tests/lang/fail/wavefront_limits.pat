kernel up(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-65, j] boundary 0; }
kernel across(p: f32[m, n], out a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j+65] boundary 0; }
kernel turned(p: i32[n, n], inout a: i32[n, n]) { wavefront a[j, i] = p[i, j] + a[j-1, i] boundary 0 for i in 0..n, j in 0..i; }
kernel turned3(inout a: i32[n, n, n]) { wavefront a[k, j, i] = a[k, j-1, i] boundary 0 for i in 0..n, j in i..n, k in 0..n; }
kernel unsaid(inout a: i32[n, n]) { wavefront a[i, j] = (a[i-1, j] ○ 3) ◇ a[i, j] boundary 0; }
kernel unknown(inout a: i32[n, n]) { wavefront a[i, j] = (a[i-1, j] ○ 3) using ○ = foo boundary 0; }
kernel clauses(inout a: i32[n, n]) { wavefront a[i, j] = a[i-1, j] boundary 0 exclusive; }
kernel clash(inout a: i32[n, n]) { wavefront a[i, j] = a[i-1, j] boundary 0 drop trusted; }
kernel clash2(inout a: f32[n, n]) { wavefront a[i, j] = a[i-1, j] boundary 0 strict approx; }
