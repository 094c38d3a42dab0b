// scans whose reads, ranges, heads and what comes before them the data decide
const W: f32[4] = [1, 2, 3, 4];
kernel a1(x: f32[n], k: i32[m], inout p: f32[m]) { scan p[i] = sum(x[k[i]]); }
kernel a2(x: f32[n], k: i32[m], inout p: f32[m]) { scan p[i] = sum(x[k[i]]) drop; }
kernel a3(x: f32[n], k: i32[m], inout p: f32[m]) { scan p[i] = x[k[i]] * p[i-1] + 1; }
kernel a4(x: f32[n], k: i32[m], inout p: f32[m]) { scan p[i] = x[k[i]] * p[i-1] + 1 drop; }
kernel a5(x: i32[n], k: i32[m], inout p: i32[m]) { scan p[i] = max(x[k[i]]) + x[k[i]] exclusive from right; }
kernel a6(x: f32[n], k: i32[m], w: i32[m], inout p: f32[m], inout at: i64[m]) { scan p[i], at[i] = argmax(x[k[i]]) keys w; }
kernel a7(x: i32[n], k: i32[m, l], inout p: i32[m, l]) { scan p[i, j] = sum[i](x[k[i, j]]); }
kernel a8(x: i32[m, n], k: i32[m], w: i32[s], inout p: i32[m, n]) { scan p[i, j] = sum[j](x[i, j]) from w[k[i]]; }
kernel a9(x: i32[m, n], k: i32[m], w: i32[s], inout p: i32[m, n]) { scan p[i, j] = p[i, j-1] * 3 + x[i, j] from w[k[i]] drop; }
kernel b1(x: i32[m, n], k: i32[n], w: i32[s], inout p: i32[m, n]) { scan p[i, j] = sum[i](x[i, j]) from w[k[j]]; }
kernel b2(x: i32[n], k: i32[m], off: i32[s], inout p: i32[m]) { scan p[i] = p[i-1] + x[k[i]] + p[i-2] * x[k[i]] segments off; }
kernel b3(x: i32[n], off: i32[s], inout p: i32[n]) { scan p[i] = sum(x[i]) segments off drop; }
kernel ca3(x: f32[n], k: i32[n], inout p: f32[n]) { scan p[i] = sum(x[i] * W[k[i]]); }
kernel ca4(x: f32[n], k: i32[n], inout p: f32[n]) { scan p[i] = p[i-1] * W[k[i]] + x[i]; }
kernel ca5(x: f32[n], k: i32[n], inout p: f32[n]) { scan p[i] = sum(x[i]) * W[k[i]]; }
kernel ca9(x: i32[m, n], inout p: i32[m, n], a: i64, b: i64) { scan p[i, j] = sum[i](x[i, j]) for i in a..b, j in b..a; }
kernel cb1(x: i32[n], inout p: i32[n], a: i64, h: bool[n]) { scan p[i] = sum(x[i]) heads h for i in a..n; }
kernel heads1(x: i32[n], inout p: i32[n], a: i64, h: bool[n]) { scan p[i] = sum(x[i]) heads h for i in a..n; }
kernel heads2(x: i32[n], inout p: i32[n], a: i64, h: i32[n]) { scan p[i] = sum(x[i]) keys h for i in a..a + n; }
kernel heads3(x: i32[n], inout p: i32[n], a: i64, h: i32[n]) { scan p[i] = sum(x[i]) keys h from right for i in a..a + n; }
test ranges_that_leave_the_heads {
	heads1(x = [1, 2, 3, 4], h = [false, false, true, false], a = -3, p = 0) -> status index;
	heads1(x = [1, 2, 3, 4], h = [false, false, true, false], a = 0, p = 0) -> p = [1, 3, 3, 7];
}
