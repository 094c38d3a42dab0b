// heads.pat - two products tile by tile, by the unit of groups of warps on sm_90a.
kernel heads(q: f16[70, 64], k: f16[140, 64], v: f16[140, 64], out o: f32[70, 64]) {
	let s: f32[70, 140];
	let top: f32[70];
	let total: f32[70];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]) * 0.01;
	reduce top[i] = max[j](s[i, j]);
	reduce total[i] = sum[j](exp(s[i, j] - top[i]));
	matmul o[i, c] = sum[j](f16(exp(s[i, j] - top[i]) / total[i]) * v[j, c]);
}
