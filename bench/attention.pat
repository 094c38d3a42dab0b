// attention.pat - two products and a softmax of rows between them: one kernel each (peers.py).
kernel attend(q: bf16[h, n, 128], k: bf16[h, m, 128], v: bf16[h, m, 128], out o: bf16[h, n, 128]) {
	let s: f32[h, n, m];
	let top: f32[h, n];
	let total: f32[h, n];
	let p: bf16[h, n, m];
	matmul s[b, i, j] = sum[c](f32(q[b, i, c]) * f32(k[b, j, c])) * 0.088388348;
	reduce top[b, i] = max[j](s[b, i, j]);
	reduce total[b, i] = sum[j](exp(s[b, i, j] - top[b, i])) approx;
	map p[b, i, j] = bf16(exp(s[b, i, j] - top[b, i]) / total[b, i]) approx;
	matmul o[b, i, c] = bf16(sum[j](p[b, i, j] * v[b, j, c]));
}
kernel attend_exact(q: bf16[h, n, 128], k: bf16[h, m, 128], v: bf16[h, m, 128],
                    out o: bf16[h, n, 128]) {
	let s: f32[h, n, m];
	let top: f32[h, n];
	let total: f32[h, n];
	let p: bf16[h, n, m];
	matmul s[b, i, j] = sum[c](f32(q[b, i, c]) * f32(k[b, j, c])) * 0.088388348;
	reduce top[b, i] = max[j](s[b, i, j]);
	reduce total[b, i] = sum[j](exp(s[b, i, j] - top[b, i]));
	map p[b, i, j] = bf16(exp(s[b, i, j] - top[b, i]) / total[b, i]);
	matmul o[b, i, c] = bf16(sum[j](p[b, i, j] * v[b, j, c]));
}
kernel attend_causal(q: bf16[h, n, 128], k: bf16[h, m, 128], v: bf16[h, m, 128],
                     out o: bf16[h, n, 128]) {
	let s: f32[h, n, m];
	let top: f32[h, n];
	let total: f32[h, n];
	let p: bf16[h, n, m];
	matmul s[b, i, j] = sum[c](f32(q[b, i, c]) * f32(k[b, j, c])) * 0.088388348;
	reduce top[b, i] = max[j in 0..m where j <= i](s[b, i, j]);
	reduce total[b, i] = sum[j in 0..m where j <= i](exp(s[b, i, j] - top[b, i])) approx;
	map p[b, i, j] = bf16(exp(s[b, i, j] - top[b, i]) / total[b, i]) approx;
	matmul o[b, i, c] = bf16(sum[j in 0..m where j <= i](p[b, i, j] * v[b, j, c]));
}
kernel attend_64(q: bf16[h, n, 64], k: bf16[h, m, 64], v: bf16[h, m, 64], out o: bf16[h, n, 64]) {
	let s: f32[h, n, m];
	let top: f32[h, n];
	let total: f32[h, n];
	let p: bf16[h, n, m];
	matmul s[b, i, j] = sum[c](f32(q[b, i, c]) * f32(k[b, j, c])) * 0.125;
	reduce top[b, i] = max[j](s[b, i, j]);
	reduce total[b, i] = sum[j](exp(s[b, i, j] - top[b, i])) approx;
	map p[b, i, j] = bf16(exp(s[b, i, j] - top[b, i]) / total[b, i]) approx;
	matmul o[b, i, c] = bf16(sum[j](p[b, i, j] * v[b, j, c]));
}
kernel attend_f32(q: f32[h, n, 64], k: f32[h, m, 64], v: f32[h, m, 64], out o: f32[h, n, 64]) {
	let s: f32[h, n, m];
	let top: f32[h, n];
	let total: f32[h, n];
	let p: f32[h, n, m];
	matmul s[b, i, j] = sum[c](q[b, i, c] * k[b, j, c]) * 0.125;
	reduce top[b, i] = max[j](s[b, i, j]);
	reduce total[b, i] = sum[j](exp(s[b, i, j] - top[b, i])) approx;
	map p[b, i, j] = exp(s[b, i, j] - top[b, i]) / total[b, i] approx;
	both: matmul o[b, i, c] = sum[j](p[b, i, j] * v[b, j, c]);
}
schedule attend_f32 for cuda { both: fuse; }
kernel attend_f32_apart(q: f32[h, n, 64], k: f32[h, m, 64], v: f32[h, m, 64],
                        out o: f32[h, n, 64]) {
	let s: f32[h, n, m];
	let top: f32[h, n];
	let total: f32[h, n];
	let p: f32[h, n, m];
	matmul s[b, i, j] = sum[c](q[b, i, c] * k[b, j, c]) * 0.125;
	reduce top[b, i] = max[j](s[b, i, j]);
	reduce total[b, i] = sum[j](exp(s[b, i, j] - top[b, i])) approx;
	map p[b, i, j] = exp(s[b, i, j] - top[b, i]) / total[b, i] approx;
	matmul o[b, i, c] = sum[j](p[b, i, j] * v[b, j, c]);
}
