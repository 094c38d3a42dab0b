struct Body { x: f32, m: f32 }
kernel a(x: f32[n], out s: f32[n+1], out y: f32[k]) { compact y = x[i] where x[i] > 0 && j > i for i in 0..n, j in 0..n rows s; }
kernel b(x: f32[n], out s: i64[n+1], out y: f32[k]) { compact y = x[i] where x[i] > 0 rows s; }
kernel c(x: f32[n], out s: i64[n], out y: f32[k]) { compact y = x[i] where x[i] < x[j] for i in 0..n, j in 0..n rows s; }
kernel d(x: f32[n], out s: i64[n+1], out y: f32[k]) { compact y = x[i] where x[i] < x[j] for i in 1..n, j in 0..n rows s; }
kernel e(x: f32[n], q: i32[n], out s: i64[n+1], out y: f32[k]) { compact y = x[q[i]] where x[i] < x[j] for i in 0..n, j in 0..n rows s; }
kernel f(x: f32[n], c: i64, out s: i64[n+1], out y: f32[k]) { compact y = x[i] where x[i] < x[j] for i in 0..n, j in 0..c rows s[0]; }
kernel g(x: f32[n], out y: i64[k], out z: i64[k]) { compact y = j for i in 0..n, j in 0..n within 2 of x else z; }
kernel h(x: f32[n], out y: i64[k]) { compact y = i for i in 0..n within 2 of x; }
kernel l(x: f32[n], out y: i64[k]) { compact y = j where x[i] < x[j] for i in 0..n, j in 0..n wrap 3; }
kernel m(x: f32[n], out y: i64[k]) { compact y = j for i in 0..n, j in 0..n within -1.0 of x; }
kernel o(p: Body[n], out y: i64[k]) { compact y = j for i in 0..n, j in 0..n within 2 of (x, y2); }
kernel p(x: f32[n], out y: i64[k]) { compact y = j for i in 0..n, j in 0..n; }
kernel q(x: f32[n], out s: i64[n+1], out y: i64[k]) { let c: i64 = count[i](x[i] > 0); compact y = j where x[i] < x[j] for i in 0..c, j in 0..n rows s; }
kernel r(x: f32[n], inout s: i64[n+1], out y: i64[k]) { compact y = j where s[i] < j for i in 0..n, j in 0..n rows s; }
kernel t(x: f32[n], s: i64[n+1], out y: i64[k]) { compact y = j where x[i] < x[j] for i in 0..n, j in 0..n rows s; }
kernel u(x: f32[n], out y: i64[n+1]) { compact y = j where x[i] < x[j] for i in 0..n, j in 0..n rows y; }
kernel v(x: f32[n], r: i32[n+1], out s: i64[n+1], out y: i64[k]) { compact y = e where x[e] > 0 for i in 0..n, e in r[i]..r[i+1] rows s; }
kernel w(x: f32[n], out s: i64[n-4], out y: i64[k]) { compact y = j where x[j] > i for i in 0..n-5, j in 0..n rows s; }
