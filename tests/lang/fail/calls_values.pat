struct Pair { x: f32, y: f32 }
kernel scaled(x: f32[n], a: f32, out y: f32[n]) { require a > 0; map y[i] = a * x[i]; }
kernel rows(row: i64[2*n+1], out y: f32[n]) { gather y[i] = f32(row[2*i]); }
kernel total(x: f32[n], out s: f32) { reduce s = sum[i](x[i]); }
kernel upto(size k: i64, out y: f32[k]) { map y[i] = 1; }
kernel l(x: f32[n], out y: f32[n]) { scaled(x, -1, y); }
kernel m(x: f32[n], out y: f32[n]) { scaled(x, 1 + sum[i](x[i]), y); }
kernel o(x: f32[n], out y: f32) { total(x, x[0]); }
kernel p(x: f32[n], out y: f32[n]) { p(x, y); }
kernel q(x: f32[n], out y: f32[n]) { r(x, y); }
kernel r(x: f32[n], out y: f32[n]) { q(x, y); }
kernel s(x: f32[n], out y: f32[n], out z: f32[n]) { scaled(y, 2, z); map y[i] = x[i]; }
kernel t(x: f32[n], out y: f32[n]) { scaled(x, Pair(1, 2), y); }
kernel u(x: f32[n], out y: f32[n]) { upto(count[i](x[i] > 0), y); }
kernel v(x: f32[n], out y: f32[n]) { upto(n + 1, y); }
kernel w(x: f32[n], out y: f32[n]) { one: scaled(x, 2, y); one: scaled(x, 3, y); }
kernel y(x: f32[n], out y: f32[n]) { repeat i < 3 { scaled(x, f32(n + i), y); } }
kernel z(x: f32[n+1], out s: f32, out y: f32[n]) { scaled(x, i, y); total(x, 2); }
kernel aa(x: f32[n], out y: f32[n]) { bb(x, sum[i](x[i]), y); map y[i] = y[i] + c; }
kernel bb(x: f32[n], c: f32, out y: f32[n]) { map y[i] = c * x[i]; }
kernel cc(x: f32[n, m] layout row(ld), out y: f32[n]) { map y[i] = f32(ld); }
kernel dd(x: f32[n, m], out y: f32[n]) { cc(x, y); }
kernel ee(x: f32[n], out y: f32[n]) { upto(-5, y); }
