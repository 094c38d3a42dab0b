// attention.pat - two products, and what is folded of the rows of the first one between them, as one kernel: on plain cores and by
// matrix units, with masks, ranges, what scores become, operands that lie either way, and folds that are results.
kernel plain(q: f32[h, n, d], k: f32[h, m, d], v: f32[h, m, e], scale: f32, out o: f32[h, n, e]) {
	let s: f32[h, n, m];
	let top: f32[h, n];
	let total: f32[h, n];
	matmul s[b, i, j] = sum[c](q[b, i, c] * k[b, j, c]) * scale;
	reduce top[b, i] = max[j](s[b, i, j]);
	reduce total[b, i] = sum[j](exp(s[b, i, j] - top[b, i]));
	matmul o[b, i, c] = sum[j](exp(s[b, i, j] - top[b, i]) / total[b, i] * v[b, j, c]);
}
// a key is not after its row; the logarithm of the total is a result too
kernel causal(q: f64[n, d], k: f64[d, n], v: f64[n, e], bias: f64[n], out o: f64[n, e], out lse: f64[n]) {
	let s: f64[n, n];
	let top: f64[n];
	let total: f64[n];
	matmul s[i, j] = sum[c](q[i, c] * k[c, j]) + bias[j];
	reduce top[i] = max[j in 0..i + 1](s[i, j]);
	reduce total[i] = sum[j in 0..i + 1](exp(s[i, j] - top[i]));
	map lse[i] = top[i] + log(total[i]);
	matmul o[i, c] = sum[j in 0..i + 1](exp(s[i, j] - top[i]) * v[j, c]) / total[i];
}
// groups of heads, a window that the call gives, a row's greatest score, what o was
kernel window(q: bf16[h, g, n, d], k: bf16[h, m, d], v: bf16[h, m, e], w: i32, inout o: bf16[h, g, n, e], out top: f32[h, g, n]) {
	let s: f32[h, g, n, m];
	let total: f32[h, g, n];
	let p: bf16[h, g, n, m];
	matmul s[b, r, i, j] = sum[c](q[b, r, i, c] * k[b, j, c]) * 0.125;
	reduce top[b, r, i] = max[j in 0..m where abs(j - i) <= i64(w)](s[b, r, i, j]);
	reduce total[b, r, i] = sum[j in 0..m where abs(j - i) <= i64(w)](exp(s[b, r, i, j] - top[b, r, i]));
	map p[b, r, i, j] = bf16(exp(s[b, r, i, j] - top[b, r, i]) / total[b, r, i]);
	matmul o[b, r, i, c] = bf16(f32(o[b, r, i, c]) + sum[j in 0..m where abs(j - i) <= i64(w)](p[b, r, i, j] * v[b, j, c]));
}
// a cap, slopes, a band; a fold that is no part of the weights
kernel capped(q: f16[n, d], k: f16[d, m], v: f16[e, m], slope: f32, out o: f16[n, e], out top: f32[n], out total: f32[n], out large: i32[n]) {
	let s: f32[n, m];
	let t: f32[n, m];
	let p: f16[n, m];
	matmul s[i, j] = sum[c](q[i, c] * k[c, j]);
	map t[i, j] = 30 * tanh(s[i, j] / 30) - slope * f32(abs(i - j));
	reduce large[i] = sum[j in 0..m where j <= i && j > i - 70](t[i, j] > 1 ? 1 : 0);
	reduce top[i] = max[j in 0..m where j <= i && j > i - 70](t[i, j]);
	reduce total[i] = sum[j in 0..m where j <= i && j > i - 70](exp(t[i, j] - top[i]));
	map p[i, j] = f16(exp(t[i, j] - top[i]) / total[i]);
	matmul o[i, c] = f16(sum[j in 0..m where j <= i && j > i - 70](p[i, j] * v[c, j]));
}
// scores that a mask makes infinite; the result and the operands turned
kernel masked(q: bf16[d, n], k: bf16[m, d], v: bf16[m, e], mask: bool[n, m], out o: f32[e, n]) {
	let s: f32[n, m];
	let top: f32[n];
	let total: f32[n];
	let p: bf16[n, m];
	matmul s[i, j] = mask[i, j] ? sum[c](q[c, i] * k[j, c]) : -1.0 / 0.0;
	reduce top[i] = max[j](s[i, j]);
	reduce total[i] = sum[j](exp(s[i, j] - top[i]));
	map p[i, j] = bf16(exp(s[i, j] - top[i]) / total[i]);
	matmul o[c, i] = sum[j](p[i, j] * v[j, c]);
}
// sizes that are known, scales of quantised operands, a total in the result
kernel bytes(q: i8[n, 64], qs: f32[n], k: i8[m, 64], ks: f32[m], v: bf16[m, 64], out o: f32[n, 64]) {
	let s: f32[n, m];
	let top: f32[n];
	let total: f32[n];
	matmul s[i, j] = f32(sum[c](i32(q[i, c]) * i32(k[j, c]))) * qs[i] * ks[j];
	reduce top[i] = max[j](s[i, j]);
	reduce total[i] = sum[j](exp(s[i, j] - top[i]));
	matmul o[i, c] = sum[j](f32(bf16(exp(s[i, j] - top[i]))) * f32(v[j, c])) / total[i];
}
kernel known(q: f16[n, 40], k: f16[m, 40], v: f16[m, 96], out o: f16[n, 96]) {
	let s: f32[n, m];
	let top: f32[n];
	let total: f32[n];
	let p: f16[n, m];
	matmul s[i, j] = sum[c](f32(q[i, c]) * f32(k[j, c])) * 0.158;
	reduce top[i] = max[j in 0..m where j <= i + 5](s[i, j]);
	reduce total[i] = sum[j in 0..m where j <= i + 5](exp2(s[i, j] - top[i]));
	map p[i, j] = f16(exp2(s[i, j] - top[i]) / total[i]);
	matmul o[i, c] = f16(sum[j in 0..m where j <= i + 5](p[i, j] * v[j, c]));
}
// by groups of warps
kernel brains(q: bf16[n, 64], k: bf16[m, 64], v: bf16[m, 128], w: bf16[m, 64], out o: bf16[n, 128], out u: f32[n, 64]) {
	let s: f32[n, m];
	let top: f32[n];
	let total: f32[n];
	let p: bf16[n, m];
	let t: f32[n, m];
	let high: f32[n];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]) * 0.02;
	reduce top[i] = max[j](s[i, j]);
	reduce total[i] = sum[j](exp(s[i, j] - top[i]));
	map p[i, j] = bf16(exp(s[i, j] - top[i]) / total[i]);
	matmul o[i, c] = bf16(sum[j](p[i, j] * v[j, c]));
	matmul t[i, j] = sum[c](q[i, c] * k[j, c]) * 0.02;
	reduce high[i] = max[j in 0..m where j <= i && j >= i - 150](t[i, j]);
	matmul u[i, c] = sum[j in 0..m where j <= i && j >= i - 150](bf16(exp(t[i, j] - high[i])) * w[j, c]);
}
kernel heads(q: f16[h, n, 128], k: f16[h, m, 128], v: f16[h, m, 64], out o: f16[h, n, 64], out top: f32[h, n]) {
	let s: f32[h, n, m];
	let total: f32[h, n];
	let p: f16[h, n, m];
	matmul s[b, i, j] = sum[c](q[b, i, c] * k[b, j, c]) * 0.02;
	reduce top[b, i] = max[j](s[b, i, j]);
	reduce total[b, i] = sum[j](exp(s[b, i, j] - top[b, i]));
	map p[b, i, j] = f16(exp(s[b, i, j] - top[b, i]) / total[b, i]);
	matmul o[b, i, c] = f16(sum[j](p[b, i, j] * v[b, j, c]));
}
// two heads share keys and values, which the call promises
kernel grouped(q: f32[g, n, 8], k: f32[h, m, 8], v: f32[h, m, 8], out o: f32[g, n, 8]) {
	require g == 2 * h;
	let s: f32[g, n, m];
	let top: f32[g, n];
	let total: f32[g, n];
	matmul s[b, i, j] = sum[c](q[b, i, c] * k[b / 2, j, c]);
	reduce top[b, i] = max[j](s[b, i, j]);
	reduce total[b, i] = sum[j](exp(s[b, i, j] - top[b, i]));
	matmul o[b, i, c] = sum[j](exp(s[b, i, j] - top[b, i]) * v[b / 2, j, c]) / total[b, i];
}
// what rows fold is a result that uses another fold; heads of 256
kernel logarithm(q: f32[n, d], k: f32[m, d], v: f32[m, 8], out o: f32[n, 8], out lse: f32[n]) {
	let s: f32[n, m];
	let top: f32[n];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	reduce top[i] = max[j](s[i, j]);
	reduce lse[i] = log(sum[j](exp(s[i, j] - top[i]))) + top[i];
	matmul o[i, c] = sum[j](exp(s[i, j] - top[i]) * v[j, c]);
}
kernel broad(q: f16[n, 200], k: f16[m, 200], v: f16[m, 256], out o: f32[n, 256]) {
	let s: f32[n, m];
	let top: f32[n];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]) * 0.01;
	reduce top[i] = max[j](s[i, j]);
	matmul o[i, c] = sum[j](f16(exp(s[i, j] - top[i])) * v[j, c]);
}
// the result goes where rows, keys and values come from
kernel over(inout x: f32[n, 8]) {
	let s: f32[n, n];
	let o: f32[n, 8];
	let top: f32[n];
	matmul s[i, j] = sum[c](x[i, c] * x[j, c]);
	reduce top[i] = max[j](s[i, j]);
	matmul o[i, c] = sum[j](exp(s[i, j] - top[i]) * x[j, c]);
	map x[i, c] = o[i, c];
}
// what looks like it: other rows' folds, a divisor that rounding comes after, a result over more than the scores, own reads
kernel others(q: f16[n, 64], k: f16[n, 64], v: f16[n, 64], out o: f32[n, 64], out p: f32[n, 64], out r: f32[n, 64]) {
	let s: f32[n, n];
	let t: f32[n, n];
	let u: f32[n, n];
	let top: f32[n];
	let high: f32[n];
	let size: f32[n];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]) * 0.01;
	reduce top[i] = max[j](s[i, j]);
	matmul o[i, c] = sum[j](f16(exp(s[i, j] - top[j])) * v[j, c]);
	matmul t[i, j] = sum[c](q[i, c] * k[j, c]) * 0.01;
	reduce high[i] = max[j](t[i, j]);
	matmul p[i, c] = high[n - 1 - i] + sum[j](f16(exp(t[i, j] - high[i])) * v[j, c]);
	matmul u[i, j] = sum[c](q[i, c] * k[j, c]) * 0.01;
	reduce size[i] = sum[j](u[i, j]);
	matmul r[i, c] = sum[j](f16(u[i, j]) * f16(v[j, c] * f16(size[j])));
}
kernel shares(q: f16[n, 64], k: f16[n, 64], v: f16[g, n, 64], inout o: f16[n, 64], inout total: f32[n], out p: f32[g, n, 64]) {
	let s: f32[n, n];
	let t: f32[n, n];
	let u: f32[n, n];
	let sum_of: f32[n];
	let top: f32[n];
	let high: f32[n];
	matmul s[i, j] = 1000 * abs(sum[c](q[i, c] * k[j, c]));
	reduce sum_of[i] = sum[j](s[i, j]);
	matmul o[i, c] = f16(sum[j](f16(s[i, j] / sum_of[i]) * k[j, c]));
	matmul t[i, j] = sum[c](q[i, c] * k[j, c]) * 0.01;
	reduce top[i] = max[j](t[i, j]);
	reduce total[i] = total[i] + sum[j](exp(t[i, j] - top[i]));
	matmul p[b, i, c] = sum[j](f16(exp(t[i, j] - top[i])) * v[b, j, c]);
	repeat l < 2 {
		matmul u[i, j] = u[i, j] * 0.5 + sum[c](q[i, c] * k[j, c]) * 0.01;
		reduce high[i] = max[j](u[i, j]);
		matmul o[i, c] = f16(f32(o[i, c]) + sum[j](f16(exp(u[i, j] - high[i])) * k[j, c]));
	}
}
// no greatest score; integers
kernel linear(q: f32[n, d], k: f32[m, d], v: f32[m, e], out o: f32[n, e], a: i32[n, d], b: i32[m, d], c: i32[m, e], out low: i32[n], out p: i32[n, e]) {
	let s: f32[n, m];
	let t: i32[n, m];
	matmul s[i, j] = sum[l](q[i, l] * k[j, l]);
	matmul o[i, l] = 2 * sum[j](max(s[i, j], 0) * v[j, l]);
	matmul t[i, j] = sum[l](a[i, l] * b[j, l]);
	reduce low[i] = min[j in 0..m where j != i](t[i, j]);
	matmul p[i, l] = low[i] + sum[j in 0..m where j != i](t[i, j] * c[j, l]);
}
// on plain cores too
schedule others for cuda { fuse; }
schedule others for hip { fuse; }
schedule shares for cuda { fuse; }
schedule shares for hip { fuse; }
schedule plain for cuda { fuse; }
schedule plain for hip { fuse; }
schedule causal for cuda { fuse; }
schedule causal for hip { fuse; }
schedule window for cuda { fuse; }
schedule window for hip { fuse; }
schedule capped for cuda { fuse; }
schedule capped for hip { fuse; }
schedule masked for cuda { fuse; }
schedule masked for hip { fuse; }
schedule bytes for cuda { fuse; }
schedule bytes for hip { fuse; }
schedule known for cuda { fuse; }
schedule known for hip { fuse; }
schedule brains for cuda { fuse; }
schedule brains for hip { fuse; }
schedule heads for cuda { fuse; }
schedule heads for hip { fuse; }
schedule grouped for cuda { fuse; }
schedule grouped for hip { fuse; }
schedule logarithm for cuda { fuse; }
schedule logarithm for hip { fuse; }
schedule broad for cuda { fuse; }
schedule broad for hip { fuse; }
schedule over for cuda { fuse; }
schedule over for hip { fuse; }
schedule linear for cuda { fuse; }
schedule linear for hip { fuse; }
test mean {
	plain(q = [[[0, 0]]], k = [[[1, 2], [3, 4], [5, 6]]], v = [[[1], [2], [6]]], scale = 1) -> o = [[[3]]];
}
