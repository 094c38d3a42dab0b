// scans along the last axis: every clause, type and shape; several scans and equations; ranges, triangles, layouts
op cat(a: u32, b: u32) -> u32 = a * 31 + b;
struct Pair { a, b: f64 }
op mul2(x: Pair, y: Pair) -> Pair = Pair(x.a * y.a, y.a * x.b + y.b) associative;
kernel ex(x: i32[n], out p: i32[n]) { scan p[i] = sum(x[i]) exclusive; }
kernel fr(x: i32[n], out p: i32[n]) { scan p[i] = sum(x[i]) from right; }
kernel frx(x: i32[n], out p: i64[n]) { scan p[i] = max(i64(x[i])) exclusive from right from 7; }
kernel fv(x: u8[n], v: u8, out p: u8[n]) { scan p[i] = min(x[i]) from v; }
kernel st(x: Pair[n], out p: Pair[n]) { scan p[i] = mul2(x[i]); }
kernel two(x: f32[n], y: f64[n], out p: f32[n], out q: f64[n]) { scan p[i] = sum(x[i]), q[i] = max(y[i]) + p[i]; }
kernel bat(x: f32[m, n], out p: f32[m, n]) { scan p[i, j] = sum[j](x[i, j]); }
kernel batr(x: i32[m, n], out p: i32[m, n]) { scan p[i, j] = sum[j](x[i, j]) from right; }
kernel batw(x: f32[m, n], w: f32[n], b: f32[m], out p: f32[m, n]) { scan p[i, j] = sum[j](x[i, j] * w[j] + b[i]) exclusive; }
kernel arg(x: f32[n], out p: f32[n], out at: i64[n]) { scan p[i], at[i] = argmax(x[i]); }
kernel inp(inout x: i32[n]) { scan x[i] = sum(x[i]); }
kernel str(x: i32[m, n, k], out p: i32[m, n, k]) { scan p[i, j, l] = sum[l](x[i, j, l] + i32(i * j)); }
kernel rng(x: i32[n], out p: i32[n+1]) { scan p[i+1] = sum(x[i]) for i in 0..n; }
kernel tri(x: i32[n, n], out p: i32[n, n]) { scan p[i, j] = sum[j](x[i, j]) for i in 0..n, j in 0..i; }
kernel pit(x: i32[m, n] layout row(ld), out p: i32[m, n] layout row(ld2)) { scan p[i, j] = sum[j](x[i, j]) from right; }
kernel ha(x: f16[n], out p: f16[n]) { scan p[i] = sum(x[i]); }
kernel bo(x: bool[n], out p: bool[n], out c: i64[n]) { scan p[i] = any(x[i]), c[i] = count(x[i]); }
kernel st1(x: f32[n], out p: f32[n]) { scan p[i] = sum(x[i]) strict; }
kernel st2(x: f32[m, n], out p: f32[m, n]) { scan p[i, j] = sum[j](x[i, j]) strict from right exclusive; }
kernel na(x: u32[n], out p: u32[n]) { scan p[i] = cat(x[i]) strict from 3; }
kernel le(x: i32[n], c: i64, out p: i32[n]) { scan p[i] = sum(x[i]) of c; }
kernel le7(x: i32[n], out p: i32[n]) { scan p[i] = sum(x[i]) of 7; }
kernel ler(x: i32[m, n], out p: i32[m, n]) { scan p[i, j] = sum[j](x[i, j]) of 5 from right exclusive; }
kernel he(x: f32[n], h: bool[n], out p: f32[n]) { scan p[i] = sum(x[i]) heads h; }
kernel her(x: i32[n], h: u8[n], out p: i32[n]) { scan p[i] = sum(x[i]) heads h from right; }
kernel ke(x: f64[n], k: i32[n], out p: f64[n]) { scan p[i] = max(x[i]) keys k exclusive; }
kernel keb(x: i32[m, n], k: f16[n], out p: i32[m, n]) { scan p[i, j] = sum[j](x[i, j]) keys k from right; }
kernel fw(x: f32[m, n], w: f32[m], out p: f32[m, n]) { scan p[i, j] = sum[j](x[i, j]) from w[i] from right; }
kernel fw3(x: i32[k, m, n], w: i32[m], out p: i32[k, m, n]) { scan p[h, i, j] = max[j](x[h, i, j]) from w[i] exclusive; }
