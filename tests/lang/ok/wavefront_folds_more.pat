op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;
op late(a: i32, b: i32) -> i32 = b == i32.min ? a : b identity i32.min, associative;
kernel parses(word: u8[n], out t: bool[n, n]) {
	wavefront t[i, j] = i == j ? word[i] % 2 == 1 : i < j && any[k in i..j](t[i, k] && t[k+1, j]) from below;
}
kernel tree(w: i32[n, n], out t: i32[n, n], out root: i64[n, n]) {
	wavefront t[i, j] = j > i ? w[i, j] + min[k in i..j](t[i, k] + t[k+1, j]) : 0,
	          root[i, j] = j > i ? argmin[k in i..j](t[i, k] + t[k+1, j]) : i from below;
}
kernel chains(p: f32[m, n+1], out t: f32[m, n, n]) {
	wavefront t[b, i, j] = j > i ? max[k in i..j](t[b, i, k] * 0.5 + t[b, k+1, j] + p[b, k+1]) : p[b, i] from below;
}
kernel likely(p: f32[n, n], out t: f32[n, n]) {
	wavefront t[i, j] = i < j ? lse[k in i..j](t[i, k] + t[k+1, j] - 2) + p[i, j] : p[i, j] from below;
}
kernel last(p: i32[m, n], out t: i32[m, n]) {
	wavefront t[i, j] = p[i, j] + (j > 0 ? late[k in max(0, j-40)..j where t[i, k] > p[i, k]](t[i, k]) / 2 : 0);
}
kernel counts(p: i32[n], out t: i64[n]) {
	wavefront t[i] = count[k in max(0, i-40)..i](t[k] > p[k]) + (i > 0 ? t[i / 2] : 0);
}
kernel above(p: i32[m, n], out t: i32[m, n]) {
	wavefront t[i, j] = p[i, j] + (i > 0 ? max[k in max(0, j-40)..j+1](t[i-1, k]) : 0) - t[i, j-1] boundary 0;
}
kernel running(p: i16[m, n], out a: i16[m, n], out b: i32[m, n]) {
	wavefront a[i, j] = p[i, j] ^ a[i, j-1], b[i, j] = sum[k in max(0, j-40)..j+1](a[i, k]) boundary 0;
}
kernel masked(q: i32[n], x: f16[m, n], inout a: f16[m, n]) {
	wavefront a[i, j] = x[i, j] + sum[k in j+1..min(n, j+40)](a[i, k] / 2) from right where q[j] > 0;
}
kernel exact(a: f32[n, n], b: f32[n], out x: f32[n]) {
	wavefront x[i] = b[i] - sum[j in 0..i](a[i, j] * x[j]) strict;
}
kernel square(inout a: u32[n, n]) {
	wavefront a[i, j] = i <= j ? a[i, j] - sum[k in 0..i](a[i, k] * a[k, j])
	                           : a[i, j] - sum[k in 0..j](a[i, k] * a[k, j]) + a[j, j];
}
kernel best(pair: i32[n, n], out most: i32) {
	let t: i32[n, n];
	wavefront t[i, j] = j > i ? max(max[k in i..j](t[i, k] + t[k+1, j]), t[i+1, j-1] + pair[i, j]) : 0 from below boundary 0;
	reduce most = max[i, j](t[i, j]);
}
test folds {
	parses(word = [1, 3, 5]) -> t = [[true, true, true], [false, true, true], [false, false, true]];
	tree(w = [[0, 3, 9], [0, 0, 4], [0, 0, 0]]) -> t = [[0, 3, 12], [0, 0, 4], [0, 0, 0]], root = [[0, 0, 1], [1, 1, 1], [2, 2, 2]];
	counts(p = [-1, 0, 1, 5]) -> t = [0, 1, 3, 4];
	running(p = [[1, 3]]) -> a = [[1, 2]], b = [[1, 3]];
	masked(q = [1, 0, 1], x = 1, a = [[0, 4, 0]]) -> a = [[3.5, 4, 1]];
	square(a = [[2, 4], [4, 11]]) -> a = [[2, 4], [6, 4294967283]];
	best(pair = [[0, 1, 1], [0, 0, 1], [0, 0, 0]]) -> most = 1;
	best(n = 0) -> most = -2147483648;
}
