kernel a(x: f32[n, m], v: f32, out at: i64) { map at = search(x, v); }
kernel b(x: f32[n], out y: i64[n]) { map y[i] = search(x[i], 1); }
kernel c(x: f32[n], out y: i64[n]) { map y[i] = search(x); }
kernel d(x: f32[n], v: f32, out at: i64) { map at = search(x, v, lower); }
fn e(v: f32) -> i64 = search(v, v);
kernel f(v: f32, out at: i64) { map at = search(v, v); }
kernel g(out x: f32[n], out at: i64) { map at = search(x, 1); }
kernel h(x: f32[n], inout y: i64[n]) { map y[i] = search(y, i); }
kernel j(x: u64[n], v: i64, out at: i64) { map at = search(x, v); }
kernel k(x: f32[n], out y: f32[n], v: f32) { map y[i] = 0 for i in 0..search(x, v); }
kernel l(x: f32[n], out y: f32[n]) { reduce y[i] = search(x, x[i]); }
kernel m(x: f32[n], out at: i64) { map at = search(z, 1); }
struct P { a, b: f32 }
kernel o(x: P[n], out at: i64) { map at = search(x, P(1, 2)); }
fn search(x: f32) -> f32 = x;
kernel p(x: f32[n], out y: f32[n]) { map y[i] = search; }
kernel q(x: f32[n], v: f32, out y: f32) { if search(x, v) > 0 { map y = 1; } else { map y = 2; } }
kernel r(x: f32[n], v: f32, out y: f32) { require search(x, v) > 0; map y = 1; }
