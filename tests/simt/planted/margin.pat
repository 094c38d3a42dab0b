// margin.pat - rows of a product folded where its cells are born; the smaller tile.
kernel margin(A: f32[n, l], B: f32[m, l], out at: i64[n], out d: f32[n], out s: f32[n]) {
	let P: f32[n, m];
	product: matmul P[i, j] = sum[k]((A[i, k] - B[j, k]) * (A[i, k] - B[j, k]));
	reduce d[i], at[i] = argmin[j](P[i, j]);
	reduce s[i] = sum[j](P[i, j]);
}
schedule margin for cuda { product: tile 64 x 64; }
schedule margin for hip { product: tile 64 x 64; }
