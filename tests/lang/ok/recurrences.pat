// recurrences of order 1: plain arithmetic and ○ ◇, laws with and without identities, from both ends, cut, strict.
// Odd weights keep what came before: products of others end in 0.
op plus(a: i32, b: i32) -> i32 = a + b associative, commutative;
op twice(a: i32, b: i32) -> i32 = a * b associative, distributes over plus;
kernel a1(x: f32[n], out y: f32[n]) { scan y[i] = 0.5 * y[i-1] + x[i]; }
kernel a4(x: f32[n], b: f32[n], out y: f32[n]) { scan y[i] = y[i+1] * b[i] + x[i] from 3; }
kernel a6(x: i32[n], g: i32, out y: i32[n]) { scan y[i] = max(y[i-1] - g, x[i]); }
kernel a7(x: f32[n], b: f32[n], out y: f32[n]) { scan y[i] = max(y[i-1] + b[i], x[i]); }
kernel a8(x: f32[n], b: f32[n], out y: f32[n]) { scan y[i] = min(y[i-1] + clamp(b[i], -1e6, 1e6), x[i]) from 100; }
kernel a9(x: i32[n], b: i32[n], out y: i32[n]) { scan y[i] = min(max(y[i-1], b[i]), x[i]); }
kernel b1(x: bool[n], b: bool[n], out y: bool[n]) { scan y[i] = (y[i-1] && b[i]) || x[i]; }
kernel b3(x: i32[n], b: i32[n], out y: i32[n]) { scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = max, ◇ = max; }
kernel b4(x: i32[n], b: i32[n], out y: i32[n]) { scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = +, ◇ = +; }
kernel b5(b: i32[n], out y: i32[n]) { scan y[i] = y[i-1] * b[i] from 3; }
kernel b7(x: u8[n], b: u8[n], out y: u8[n]) { scan y[i] = y[i-1] * b[i] + x[i]; }
kernel b8(x: f16[n], b: f16[n], out y: f16[n]) { scan y[i] = y[i-1] * b[i] + x[i]; }
kernel b9(x: i64[n], b: i64[n], out y: i64[n]) { scan y[i] = max(y[i-1] + b[i] % 100, x[i]) from 7; }
kernel c1(x: u32[n], b: u32[n], out y: u32[n]) { scan y[i] = (y[i-1] & b[i]) ^ x[i]; }
kernel c2(x: f32[n], b: f32[n], out y: f32[n]) { scan y[i] = y[i-1] * b[i-1] + x[i]; }
kernel c3(x: f32[n], b: f32[n], out y: f32[n]) { scan y[i] = y[i+1] * b[i+1] + x[i] strict; }
kernel c4(x: f32[m, n], b: f32[n], out y: f32[m, n]) { scan y[i, j] = y[i, j-1] * b[j] + x[i, j]; }
kernel c7(x: i32[n], b: i32[n], h: bool[n], out y: i32[n]) { scan y[i] = max(y[i+1] + b[i], x[i]) heads h; }
kernel d1(inout x: f32[n]) { scan x[i] = 0.25 * x[i-1] + x[i]; }
kernel d2(x: i32[n], b: i32[n], out y: i32[n], out z: i32[n]) { scan y[i] = y[i-1] * b[i] + x[i], z[i] = sum(x[i]) + 1; }
kernel odd_a1(x: i32[n], b: i32[n], out y: i32[n]) { scan y[i] = y[i-1] * (b[i] | 1) + x[i]; }
kernel odd_a2(x: i32[n], b: i32[n], out y: i32[n]) { scan y[i] = y[i+1] * (b[i] | 1) + x[i] from 3; }
kernel odd_a3(x: i32[n], b: i32[n], out y: i32[n]) { scan y[i] = (y[i-1] ○ (b[i] | 1)) ◇ x[i] using ○ = twice, ◇ = plus; }
kernel odd_a8(b: i32[n], out y: i32[n]) { scan y[i] = y[i-1] * (b[i] | 1) from 3; }
kernel odd_a9(x: u32[n], b: u32[n], out y: u32[n]) { scan y[i] = y[i-1] ^ x[i]; }
kernel odd_b1(x: i32[n], b: i32[n], out y: i32[n]) { scan y[i] = max(y[i-1] + b[i] % 3, x[i] % 100); }
kernel odd_b3(x: i32[n], b: i32[n], h: i32[n], out y: i32[n]) { scan y[i] = y[i-1] * (b[i] | 1) + x[i] keys h; }
