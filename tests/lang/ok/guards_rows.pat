// Statements that share rows: kept in registers, in shared memory, or read again.
kernel softmax(x: f32[n, m], out y: f32[n, m]) {
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = i > 0 ? max[j](x[i-1, j]) : 0;
	reduce total[i] = i > 0 ? sum[j](exp(x[i-1, j] - top[i])) : 1;
	stencil y[i, j] = i > 0 ? exp(x[i-1, j] - top[i]) / total[i] : 0;
}
kernel softmax_within(x: f32[n, m], out y: f32[n, m]) {
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = max[j](i > 0 ? x[i-1, j] : 0);
	reduce total[i] = sum[j](exp((i > 0 ? x[i-1, j] : 0) - top[i]));
	stencil y[i, j] = exp((i > 0 ? x[i-1, j] : 0) - top[i]) / total[i];
}
kernel softmax_masked(x: f32[p, m], out y: f32[n, m]) {
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = max[j in 0..m where i < p](x[i, j]);
	reduce total[i] = sum[j in 0..m where i < p](exp(x[i, j] - top[i]));
	map y[i, j] = i < p ? exp(x[i, j] - top[i]) / total[i] : 0;
}
kernel online(x: f32[n, m], out y: f32[n]) {
	let top: f32[n];
	reduce top[i] = i > 0 ? max[j](x[i-1, j]) : 0;
	reduce y[i] = i > 0 ? sum[j](exp(x[i-1, j] - top[i])) : 1;
}
kernel online_last(x: f32[n, m], out y: f32[n]) {
	let top: f32[n];
	reduce top[i] = i + 1 < n ? max[j](x[i+1, j]) : 0;
	reduce y[i] = i + 1 < n ? sum[j](exp(x[i+1, j] - top[i])) : 1;
}
kernel norm(x: f32[n, m], w: f32[m], out y: f32[n, m]) {
	let mean: f32[n];
	let var_: f32[n];
	reduce mean[i] = (i > 0 ? sum[j](x[i-1, j]) : sum[j](x[i, j])) / f32(m);
	reduce var_[i] = sum[j]((x[i, j] - mean[i]) * (x[i, j] - mean[i]));
	map y[i, j] = (x[i, j] - mean[i]) * w[j] + var_[i];
}
kernel norm_masked(x: f32[n, m], out y: f32[n, m]) {
	let mean: f32[n];
	reduce mean[i] = sum[j](x[i+1, j]) where i + 1 < n;
	stencil y[i, j] = i + 1 < n ? x[i+1, j] - mean[i] : 0;
}
kernel residual(x: f32[n, m], r: f32[p, m], out y: f32[n, m]) {
	let s: f32[n];
	reduce s[i] = sum[j](x[i, j] + (i < p ? r[i, j] : 0));
	map y[i, j] = x[i, j] + (i < p ? r[i, j] : 0) - s[i];
}
kernel shifted(x: f32[n, m], out y: f32[n, m]) {
	let s: f32[n];
	reduce s[i] = sum[j](x[i, j]);
	stencil y[i, j] = x[i, j] - s[i] + (j > 0 ? x[i, j-1] : 0) + (i > 0 ? x[i-1, j] : 0);
}
kernel two_maps(x: f32[n, m], out y: f32[n, m], out z: f32[n, m]) {
	let s: f32[n];
	reduce s[i] = max[j](x[i, j]);
	stencil y[i, j] = i + 1 < n ? x[i+1, j] - s[i] : 0;
	stencil z[i, j] = j + 1 < m ? x[i, j+1] - s[i] : 0;
}
kernel halves(x: f16[n, m], out y: f16[n, m]) {
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = i > 0 ? max[j](f32(x[i-1, j])) : 0;
	reduce total[i] = i > 0 ? sum[j](exp(f32(x[i-1, j]) - top[i])) : 1;
	stencil y[i, j] = i > 0 ? f16(exp(f32(x[i-1, j]) - top[i]) / total[i]) : 0;
}
kernel fixed(x: f32[n, 64], out y: f32[n, 64]) {
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = i > 0 ? max[j](x[i-1, j]) : 0;
	reduce total[i] = i > 0 ? sum[j](exp(x[i-1, j] - top[i])) : 1;
	stencil y[i, j] = i > 0 ? exp(x[i-1, j] - top[i]) / total[i] : 0;
}
kernel fixed_within(x: f32[n, 256], out y: f32[n, 256]) {
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = max[j](i > 0 ? x[i-1, j] : 0);
	reduce total[i] = sum[j](exp((i > 0 ? x[i-1, j] : 0) - top[i]));
	stencil y[i, j] = exp((i > 0 ? x[i-1, j] : 0) - top[i]) / total[i];
}
kernel begins(x: f32[n, m], w: f32[m, l], out y: f32[n, l]) {
	let s: f32[n];
	reduce s[i] = i > 0 ? sum[j](x[i-1, j]) : 1;
	reduce y[i, k] = sum[j](x[i, j] * w[j, k]) + s[i];
}
kernel behind(x: f32[n, m], out y: f32[n, m], out s: f32, out r: f32[n]) {
	stencil y[i, j] = i > 0 ? x[i-1, j] : 0;
	reduce s = sum[i, j](i + 1 < n ? y[i, j] * x[i+1, j] : 0);
	reduce r[i] = max[j](i > 0 && j > 0 ? x[i-1, j-1] : y[i, j]);
}
kernel times(inout x: f32[t, n, m], steps: i32) {
	repeat s < t {
		let top: f32[n];
		reduce top[i] = s > 0 ? max[j](x[s-1, i, j]) : 0;
		map x[s, i, j] = (s > 0 ? x[s-1, i, j] / 2 : 1) - top[i];
	}
}
