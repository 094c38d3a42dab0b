// scans among other things: structs and their layouts, fused producers, loops, swaps, several equations
struct P { x, y: f32 }
struct Q { a: i32, v: i32[3] }
op addp(a: P, b: P) -> P = P(a.x + b.x, a.y + b.y) identity P(0, 0), associative, commutative;
op mulq(a: Q, b: Q) -> Q = Q(a.a * b.a, [a.v[0] + b.v[0], b.v[1], a.v[2] | b.v[2]]) associative;
op scale(a: P, b: P) -> P = P(a.x * b.x, a.y * b.y) associative, commutative, distributes over addp;
fn f(x: f32) -> f32 = x * x + 1;
kernel a1(p: P[n] layout soa, out q: P[n] layout soa) { scan q[i] = addp(p[i]); }
kernel a2(p: P[n] layout aosoa(4), out q: P[n] layout aosoa(8)) { scan q[i] = addp(p[i]) from right exclusive; }
kernel a3(p: Q[n], out q: Q[n]) { scan q[i] = mulq(p[i]); }
kernel a4(p: Q[n] layout soa, out q: Q[n] layout soa) { scan q[i] = mulq(p[i]) from Q(1, [1, 2, 3]); }
kernel a5(p: P[n], w: P[n], out q: P[n]) { scan q[i] = (q[i-1] ○ w[i]) ◇ p[i] using ○ = scale, ◇ = addp; }
kernel a6(p: P[n], inout q: P[n]) { scan q[i].x = sum(p[i].y), q[i].y = max(p[i].x) + 1; }
kernel a7(x: f32[n], out p: f32[n], out s: f32) { let t: f32[n]; map t[i] = f(x[i]); scan p[i] = sum(t[i]); reduce s = max[i](p[i]); }
kernel a8(x: f32[n], inout p: f32[n], k: i32) { repeat t < k % 4 { scan p[i] = 0.5 * p[i-1] + x[i]; scan p[i] = sum(p[i]) exclusive; } }
kernel a9(inout x: i32[n], inout y: i32[n], k: i32) { repeat t < k % 5 { scan y[i] = sum(x[i]) + y[i]; swap x, y; } }
kernel b1(x: i32[n], b: i32[n], k: i32[n], out y: i32[n], out z: i32[n], out m: i32[n], out at: i64[n]) {
	scan y[i] = y[i-1] * b[i] + x[i], z[i] = sum(x[i]) * 2 + max(b[i]), m[i], at[i] = argmin(b[i]) keys k;
}
kernel b2(x: i32[n], b: i32[n], out y: i32[n], out z: i32[n]) { scan y[i] = y[i+1] * b[i] + x[i], z[i] = z[i+1] + b[i] + z[i+2] * 3; }
kernel b3(x: f16[n], out p: f32[n], out q: f16[n]) { scan p[i] = f32(sum(x[i])) * 2, q[i] = max(x[i]); }
kernel b4(x: u8[n], out p: u8[n]) { scan p[i] = sum(x[i]) from 200; }
kernel b5(x: f32[n], h: bool[n], out p: f32[n], out c: i64[n]) { scan p[i] = max(x[i]), c[i] = count(x[i] > 0) heads h exclusive; }
kernel b6(x: f32[m, n], out p: f32[n, m]) { scan p[j, i] = sum[i](x[i, j]); }
kernel b7(x: f32[m, n] layout row(ld), out p: f32[m, n] layout col(lc)) { scan p[i, j] = sum[i](x[i, j]) from right; }
kernel b8(x: i32[n], out p: i32[n, 3]) { scan p[i, 1] = sum(x[i]); }
kernel b9(x: i32[n], out p: i32[2*n]) { scan p[2*i] = sum(x[i]) for i in 0..n; }
kernel c2(x: f64[n], out p: f64[n]) { scan p[i] = p[i-1] * 2 + x[i]; }
kernel c3(x: f32[n], out p: f32[n], v: f32) { scan p[i] = sum(exp(-abs(x[i]))) from v approx; }
