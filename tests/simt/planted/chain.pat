// chain.pat - two products tile by tile, of which each row has other keys.
kernel chain(q: f16[70, d], k: f16[80, d], v: f16[80, e], out o: f32[70, e]) {
	let t: f32[70, 80];
	let s: f32[70, 80];
	let top: f32[70];
	let total: f32[70];
	matmul t[i, j] = sum[c](q[i, c] * k[j, c]);
	map s[i, j] = 3 * tanh(t[i, j] / 3) + 0.02 * f32(j);
	reduce top[i] = max[j in 0..80 where j <= i + 3](s[i, j]);
	reduce total[i] = sum[j in 0..80 where j <= i + 3](exp(s[i, j] - top[i]));
	matmul o[i, c] = sum[j in 0..80 where j <= i + 3](f16(exp(s[i, j] - top[i]) / total[i]) * v[j, c]);
}
schedule chain for hip { fuse; }
