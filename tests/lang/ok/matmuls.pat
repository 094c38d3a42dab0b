// matmuls.pat - forms of products: transposed, batched, shared, vectors, semirings, around the fold and in front of it.
op longest(a: f32, b: f32) -> f32 = max(a, b) identity -inf, associative, commutative;
fn tropical(a: i32, b: i32) -> i32 = min(a, 1000000) + min(b, 1000000);
fn relu(x: f32) -> f32 = max(x, 0);
kernel transposed(A: f32[l, n], B: f32[m, l], inout C: f32[n, m], alpha: f32, beta: f32) {
	matmul C[i, j] = alpha * sum[k](A[k, i] * B[j, k]) + beta * C[i, j];
}
kernel batched(A: f64[b, n, l] layout row(ld), B: f64[l, m], inout C: f64[b, n, m]) {
	matmul C[q, i, j] += sum[k](A[q, i, k] * B[k, j]);
}
kernel vectors(A: f32[n, l], x: f32[l], y: f32[n], u: f32[n, 1], v: f32[1, l], out z: f32[n], out R: f32[n, l], out s: f32) {
	matmul z[i] = sum[k](A[i, k] * x[k]);
	matmul R[i, j] = sum[k in 0..1](u[i, k] * v[k, j]) where i != j;
	matmul s = sum[k](y[k] * z[k]);
}
kernel paths(D: i32[11, 11], inout E: i32[11, 11], out at: i64[11, 11], c: f32[11, 11], out w: f32[11, 11], out v: f32[11, 11]) {
	matmul E[i, j] = min(E[i, j], min[k](tropical(D[i, k], D[k, j])));
	matmul at[i, j] = argmin[k](D[i, k] + D[k, j]);
	matmul w[i, j] = longest[k](min(c[i, k], c[k, j]));
	matmul v[i, j] = max[k](c[i, k] + c[k, j]);
}
kernel reach(a: bool[11, 11], b: bool[11, 11], out c: bool[11, 11], x: u32[11, 11], out y: u32[11, 11]) {
	matmul c[i, j] = any[k](a[i, k] && b[k, j]);
	matmul y[i, j] = sum[k](x[i, k] * (x[j, k] + 1));
}
kernel dense(q: i8[n, l], W: i8[l, m], h: f16[n, l], V: bf16[l, m], scale: f32[l], bias: f32[m], p: i32, out C: i32[n, m], out Y: f32[n, m] layout col,
             out Z: f16[n, m]) {
	matmul C[i, j] = sum[k]((i32(q[i, k]) - p) * i32(W[k, j]));
	let T: f32[n, l];
	let P: f32[n, m];
	map T[i, k] = scale[k] * f32(h[i, k]);
	matmul P[i, j] = sum[k](T[i, k] * f32(V[k, j]));
	map Y[i, j] = relu(P[i, j] + bias[j]) * P[i, j];
	matmul Z[i, j] = f16(sum[k where k % 2 == 0](f32(h[i, k]) * f32(V[k, j]))) strict;
}
// what `where` leaves out reads outside
kernel masked(A: f32[n, 5], B: f32[5, 3], inout C: f32[n, 3]) {
	matmul C[i, j] += sum[k](A[i + 1, k] * B[k, j]) where i < n - 1;
}
kernel none(A: f32[9, 9], B: f32[9, 9], out C: f32[9, 9], out D: f32[9, 9]) {
	matmul C[i, j] = sum[k in 0..0](A[i, k] * B[k, j]);
	matmul D[i, j] = min[k in i..9](A[i, k] + B[k, j]);
}
kernel closure(inout D: i32[9, 9], steps: i64) {
	let E: i32[9, 9];
	repeat t < steps {
		matmul E[i, j] = min(D[i, j], min[k](tropical(D[i, k], D[k, j])));
		map D[i, j] = E[i, j];
	}
}
struct Two { x, y: f32 }
kernel fields(A: f32[p, l], B: f32[l, q], inout o: Two[p, q], inout u: Two[p, q], out s: f32[p]) {
	let t: f32[p, q];
	matmul t[j, k] = sum[e](A[j, e] * B[e, k]) + 1;
	map o[i, j].y = t[i, j];
	matmul u[j, k].x = max[e](A[j, e] + B[e, k]);
	reduce s[j] = max[k](u[j, k].x);
}
kernel guarded_left(a: f32[p, q], b: f32[q, m], out y: f32[n, m]) { matmul y[i, j] = sum[k in 0..q]((i < p ? a[i, k] : 0) * b[k, j]); }
kernel guarded_both(a: f32[p, q], b: f32[q, l], out y: f32[n, m]) { matmul y[i, j] = sum[k in 0..q](i < p && j < l ? a[i, k] * b[k, j] : 0); }
