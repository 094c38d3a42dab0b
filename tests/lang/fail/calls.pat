struct Pair { x: f32, y: f32 }
kernel scaled(x: f32[n], a: f32, out y: f32[n]) { require a > 0; map y[i] = a * x[i]; }
kernel rows(row: i64[2*n+1], out y: f32[n]) { gather y[i] = f32(row[2*i]); }
kernel total(x: f32[n], out s: f32) { reduce s = sum[i](x[i]); }
kernel upto(size k: i64, out y: f32[k]) { map y[i] = 1; }
kernel a(x: f32[n], out y: f32[n]) { scalled(x, 2, y); }
kernel b(x: f32[n], out y: f32[n]) { scaled(x, y); }
kernel c(x: f32[n], out y: f32[n]) { scaled(x, 2, z); }
kernel d(x: f32[n], out y: f32[n]) { scaled(x, 2, x); }
kernel e(inout x: f32[n]) { scaled(x, 2, x); }
kernel f(x: f32[n, m], out y: f32[n]) { scaled(x, 2, y); }
kernel g(x: f64[n], out y: f32[n]) { scaled(x, 2, y); }
kernel h(x: f32[n], out y: f32[m]) { scaled(x, 2, y); }
kernel k(x: i64[n], out y: f32[m]) { rows(x, y); }
