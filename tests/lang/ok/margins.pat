// margins.pat - rows and columns of a product folded where its cells are born, stored or not, both at a time, in batches.
fn relu(x: f32) -> f32 = max(x, 0);
kernel nearest(A: f32[n, l], B: f32[m, l], out at: i64[n], out d: f32[n]) {
	let P: f32[n, m];
	matmul P[i, j] = sum[k]((A[i, k] - B[j, k]) * (A[i, k] - B[j, k]));
	reduce d[i], at[i] = argmin[j](P[i, j]);
}
kernel layer(A: f32[n, l], B: f32[l, m], bias: f32[m], w: f32[n], out Y: f16[n, m], out high: f16[n], out down: f32[m]) {
	let P: f32[n, m];
	matmul P[i, j] = sum[k](A[i, k] * B[k, j]);
	map Y[i, j] = f16(relu(P[i, j] + bias[j]));
	reduce high[i] = max[j](Y[i, j]);
	reduce down[j] = sum[i](w[i] * f32(Y[i, j])) + bias[j];
}
kernel paths(X: i32[n, l], A: i32[b, n, l], B: i32[b, l, m], out near: i32[n, b], out last: i64[n], out far: i32[b, m], out some: bool[b, m],
             out E: i32[n, n]) {
	let D: i32[b, n, m];
	matmul D[q, i, j] = min[k](min(A[q, i, k], 9999) + min(B[q, k, j], 9999));
	reduce near[i, q] = min[j](D[q, i, j]);
	reduce far[q, j] = max[i](D[q, i, j]), some[q, j] = any[i](D[q, i, j] < 50);
	let F: i32[n, n];
	matmul F[i, j] = sum[k](X[i, k] * X[j, k]);
	reduce last[j] = sum[i](i64(F[i, j]));
	map E[i, j] = F[i, j];
}
