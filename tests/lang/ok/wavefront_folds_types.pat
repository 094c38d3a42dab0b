// Folds of rows and columns over more types and operators.
struct Two { a: i32, b: i32 }
op least(x: i32, y: i32) -> i32 = x < y ? x : y associative, commutative;
op both(x: Two, y: Two) -> Two = Two(min(x.a, y.a), x.b + y.b) identity Two(i32.max, 0), associative, commutative;
kernel halves(p: f16[n, n], out t: f16[n, n]) {
	wavefront t[i, j] = j > i ? min[k in i..j](t[i, k] + t[k+1, j]) / 2 + p[i, j] : p[i, j] from below;
}
kernel brains(p: bf16[n, n], out t: bf16[n, n]) {
	wavefront t[i, j] = j > i ? max[k in i..j](t[i, k] - t[k+1, j]) / 2 + p[i, j] : p[i, j] from below;
}
kernel truths(p: bool[n, n], out t: bool[n, n]) {
	wavefront t[i, j] = j > i ? all[k in i..j](t[i, k] || t[k+1, j] || p[k, k]) ^ p[i, j] : p[i, j] from below;
}
kernel bytes(p: u8[n, n], out t: u8[n, n]) {
	wavefront t[i, j] = u8(j > i ? max[k in i..j](t[i, k] ^ t[k+1, j]) ^ p[i, j] : p[i, j]) from below;
}
kernel unknown(p: i32[n, n], inout t: i32[n, n]) {
	wavefront t[i, j] = j > i ? least[k in i..j](t[i, k] % 9 + t[k+1, j] % 7) + p[i, j] % 5 : p[i, j] from below;
}
kernel pairs(p: i32[n, n], out t: Two[n, n]) {
	wavefront t[i, j] = j > i ? both[k in i..j](Two(t[i, k].a % 9 + t[k+1, j].a, t[i, k].b ^ t[k+1, j].b)) : Two(p[i, j] % 50, 1) from below;
}
kernel places(p: f64[n, n], out t: f64[n, n], out at: i64[n, n]) {
	wavefront t[i, j] = i > j ? p[i, j] + max[k in j+1..i+1](t[i, k] / 2 + t[k-1, j] / 4) / 2 : p[i, j],
	          at[i, j] = i > j ? argmax[k in j+1..i+1](t[i, k] / 2 + t[k-1, j] / 4) : -1 from right;
}
kernel strictly(p: f32[n, n], out t: f32[n, n]) {
	wavefront t[i, j] = j > i ? min[k in i..j](t[i, k] + t[k+1, j] * 0.5) + p[i, j] : p[i, j] from below strict;
}
kernel many(p: i32[3, n, n], q: i32[n], inout t: i32[3, n, n]) {
	wavefront t[b, i, j] = t[b, i, j] - sum[k in 0..min(i, j)](t[b, i, k] * t[b, k, j] + q[k]) % 1000 + p[b, i, j];
}
