// segments by offsets along the last axis: empty ones, gaps before and behind, many rows, from both ends, strict,
// recurrences; and what the data may have wrong
kernel so(x: f32[n], off: i64[s+1], w: u8[s], inout p: f32[n]) { scan p[i] = sum(x[i]) segments off; }
kernel soe(x: i32[n], off: i32[s+1], w: u8[s], inout p: i32[n]) { scan p[i] = sum(x[i]) segments off exclusive from 3; }
kernel sor(x: i32[n], off: u32[s+1], w: u8[s], inout p: i32[n]) { scan p[i] = sum(x[i]) segments off from right; }
kernel sob(x: i32[m, n], off: i64[s+1], w: u8[s], inout p: i32[m, n]) { scan p[i, j] = max[j](x[i, j]) segments off from right exclusive; }
kernel sob2(x: f64[m, n], off: u16[s+1], w: u8[s], inout p: f64[m, n]) { scan p[i, j] = sum[j](x[i, j]) segments off; }
kernel sos(x: f32[n], off: i64[s+1], w: u8[s], inout p: f32[n]) { scan p[i] = sum(x[i]) segments off strict; }
kernel soc(x: f32[n], b: f32[n], off: i64[s+1], w: u8[s], inout y: f32[n]) { scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = + segments off; }
kernel ck(x: f32[n], idx: i32[n], out p: f32[n]) { scan p[i] = sum(x[idx[i]]); }
kernel ckb(x: i32[m, n], idx: u16[n], out p: i32[m, n]) { scan p[i, j] = sum[j](x[i, idx[j]]) from right exclusive; }
kernel ckr(x: f32[n], b: f32[k], idx: i64[n], out y: f32[n]) { scan y[i] = (y[i-1] ○ b[idx[i]]) ◇ x[i] using ○ = *, ◇ = +; }
kernel ckt(x: i32[n], m: i64, out p: i32[n]) { scan p[i] = sum(x[i]) for i in 0..m; }
kernel ckd(x: i32[n], m: i64, inout p: i32[n]) { let c: i64; map c = m; scan p[i] = sum(x[i]) for i in 0..c; }
kernel ckk(x: i32[n], h: bool[k], idx: i64[n], out p: i32[n]) { scan p[i] = sum(x[i] + (h[idx[i]] ? 1 : 0)); }
kernel tiles(bind: u8[n], x: i32[40*n+5], off: i32[n+1], inout p: i32[40*n+5]) { s: scan p[i] = sum(x[i]) segments off from right; }
kernel wide(bind: u8[n], x: f32[m, 40*n+5], off: i64[n+1], inout p: f32[m, 40*n+5]) { s: scan p[i, j] = sum[j](x[i, j]) segments off; }
schedule tiles for cuda { s: coarsen 1; }
schedule tiles for hip { s: coarsen 1; }
schedule wide for cuda { s: coarsen 1; }
schedule wide for hip { s: coarsen 1; }
