// chains.pat - two products computed tile by tile, and why others are not.
kernel fused(q: bf16[n, 64], k: bf16[m, 64], v: bf16[m, 64], out o: f32[n, 64], out lse: f32[n]) {
	let s: f32[n, m];
	let top: f32[n];
	let total: f32[n];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	reduce top[i] = max[j](s[i, j]);
	reduce total[i] = sum[j](exp(s[i, j] - top[i]));
	map lse[i] = top[i] + log(total[i]);
	matmul o[i, c] = sum[j](bf16(exp(s[i, j] - top[i]) / total[i]) * v[j, c]);
}
kernel cores(q: f32[n, d], k: f32[m, d], v: f32[m, e], out o: f32[n, e]) {
	let s: f32[n, m];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	both: matmul o[i, c] = sum[j](s[i, j] * v[j, c]);
}
schedule cores for cuda { both: fuse; }
kernel three(q: f32[n, d], k: f32[m, d], v: f32[m, e], out o: f32[n, e]) {
	let s: f32[n, m];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	matmul o[i, c] = sum[j](s[i, j] * v[j, c]);
}
kernel wide(q: f16[n, 200], k: f16[m, 200], v: f16[m, 100], out o: f32[n, 100]) {
	let s: f32[n, m];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	matmul o[i, c] = sum[j](f16(s[i, j]) * v[j, c]);
}
kernel pinned(q: f32[n, d], k: f32[m, d], v: f32[m, e], out o: f32[n, e]) {
	let s: f32[n, m];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	second: matmul o[i, c] = sum[j](s[i, j] * v[j, c]);
}
kernel kept(q: f32[n, d], k: f32[m, d], v: f32[m, e], out s: f32[n, m], out o: f32[n, e]) {
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	matmul o[i, c] = sum[j](s[i, j] * v[j, c]);
}
kernel between(q: f32[n, d], k: f32[m, d], inout v: f32[m, e], out o: f32[n, e]) {
	let s: f32[n, m];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	map v[j, c] = v[j, c] * 2;
	matmul o[i, c] = sum[j](s[i, j] * v[j, c]);
	matmul o[i, c] += sum[j](s[i, j] * v[j, c]);
}
kernel looped(q: f32[n, d], k: f32[m, d], inout v: f32[m, e], out top: f32[n], out o: f32[n, e]) {
	let s: f32[n, m];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	repeat t < 3 {
		map v[j, c] = v[j, c] * 2;
	}
	reduce top[i] = max[j](s[i, j]);
	matmul o[i, c] = sum[j](s[i, j] * v[j, c]);
}
kernel crossed(q: f32[n, d], k: f32[m, d], inout v: f32[m, e], out o: f32[n, e]) {
	let s: f32[n, m];
	let top: f32[n];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	reduce top[i] = max[j](s[i, j]);
	reduce v[j, c] = v[j, c] * sum[i](top[i]);
	matmul o[i, c] = sum[j](exp(s[i, j] - top[i]) * v[j, c]);
}
kernel grown(q: f32[n, d], k: f32[m, d], v: f32[m, e], by: f32, out o: f32[n, e]) {
	let s: f32[n, m];
	let top: f32[n];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	reduce top[i] = max[j](s[i, j]);
	matmul o[i, c] = sum[j](exp(by * (s[i, j] - top[i])) * v[j, c]);
}
kernel added(q: f32[n, d], k: f32[m, d], v: f32[m, e], out o: f32[n, e]) {
	let s: f32[n, m];
	let top: f32[n];
	let total: f32[n];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	reduce top[i] = max[j](s[i, j]);
	reduce total[i] = sum[j](exp(s[i, j] - top[i]));
	matmul o[i, c] = sum[j]((exp(s[i, j] - top[i]) + total[i]) * v[j, c]);
}
kernel strict_one(q: f32[n, d], k: f32[m, d], v: f32[m, e], out o: f32[n, e]) {
	let s: f32[n, m];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]) strict;
	matmul o[i, c] = sum[j](s[i, j] * v[j, c]);
}
schedule pinned for cuda { second: no fuse; }
kernel grouped(q: f32[g, n, 8], k: f32[h, m, 8], v: f32[h, m, 8], out o: f32[g, n, 8]) {
	require g == 2 * h;
	let s: f32[g, n, m];
	let top: f32[g, n];
	matmul s[b, i, j] = sum[c](q[b, i, c] * k[b / 2, j, c]);
	reduce top[b, i] = max[j](s[b, i, j]);
	both: matmul o[b, i, c] = sum[j](exp(s[b, i, j] - top[b, i]) * v[b / 2, j, c]);
}
schedule grouped for cuda { both: fuse; }
kernel in_place(inout x: f32[n, d], k: f32[m, d], v: f32[m, d]) {
	let s: f32[n, m];
	let top: f32[n];
	matmul s[i, j] = sum[c](x[i, c] * k[j, c]);
	reduce top[i] = max[j](s[i, j]);
	matmul x[i, c] = sum[j](exp(s[i, j] - top[i]) * v[j, c]);
}
kernel whole(q: f32[n, d], k: f32[m, d], v: f32[m, e], out o: f32[n, e], out all: f32) {
	let s: f32[n, m];
	let top: f32[n];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	reduce top[i] = max[j](s[i, j]);
	both: matmul o[i, c] = sum[j](exp(s[i, j] - top[i]) * v[j, c]);
	reduce all = sum[i, c](o[i, c]);
}
schedule whole for cuda { both: fuse; }
kernel apart(q: f32[n, d], k: f32[m, d], v: f32[m, d], out o: f32[n, d]) {
	let s: f32[n, m];
	let top: f32[n];
	matmul s[i, j] = sum[c](q[i, c] * k[j, c]);
	reduce top[i] = max[j](s[i, j]);
	matmul o[i, c] = sum[j](exp(s[i, j] - top[i]) * v[j, c]);
}
