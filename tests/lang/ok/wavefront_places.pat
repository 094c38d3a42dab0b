// tables, places, orders: layouts, offsets, ranges, masks, several tables
kernel col(p: i32[m, n] layout col, inout A: i32[m, n] layout col) {
	wavefront A[i, j] = p[i, j] + A[i, j-1] - 3 * A[i-1, j-2] + A[i+1, j] boundary (i32(i) * 7 + i32(j));
}
kernel pitched(p: i32[m, n] layout row(ld), out A: i32[m, n] layout col(lc)) {
	wavefront A[i, j] = p[i, j] + A[i, j-1] - 3 * A[i-1, j-2] boundary 4;
}
kernel offset(p: i32[m, n], inout A: i32[m+1, n+2]) {
	wavefront A[i+1, j+2] = p[i, j] + A[i, j+2] - A[i+1, j+1] for i in 0..m, j in 0..n;
}
kernel offset_b(p: i32[m, n], top: i32[n+1], inout A: i32[m+1, n+1]) {
	wavefront A[i+1, j+1] = p[i, j] + A[i, j+1] - A[i+1, j] + A[i-1,j+1] boundary (j >= -1 ? top[j+1] : 5) for i in 0..m, j in 0..n;
}
kernel triangle(p: i32[n, n], inout A: i32[n, n]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1] boundary 2 for i in 0..n, j in 0..i+1;
}
kernel triangle_up(p: i32[n, n], inout A: i32[n, n]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1] boundary 2 for i in 0..n, j in i..n from below;
}
kernel device(k: i32[n], p: i32[n, n], inout A: i32[n, n]) {
	let c: i32;
	reduce c = sum[i](k[i] & 1);
	wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1] boundary 2 for i in 0..c, j in 0..c where c <= n;
}
kernel masked(p: i32[m, n], inout A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1] boundary 2 where (i + j) % 3 != 1;
}
kernel temp(p: i32[m, n], out B: i32[m, n]) {
	let A: i32[m, n];
	wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1] + A[i+1, j+2] boundary 2 where (i + j) % 3 != 1;
	map B[i, j] = A[i, j];
}
kernel temp2(p: i32[m, n], out B: i32[m, n]) {
	let A: i32[m+1, n+1];
	wavefront A[i, j] = p[i-1, j-1] + A[i-1, j] - A[i, j-1] for i in 1..m+1, j in 1..n+1;
	stencil B[i, j] = A[i+1, j+1];
}
kernel opassign(inout A: i32[m, n], inout B: f32[m, n]) {
	wavefront A[i, j] += A[i-1, j] boundary 0;
	wavefront B[i, j] max= B[i-1, j] - B[i, j-1] boundary 0;
}
kernel many(p: i32[m, n], inout A: i32[m, n], inout B: i32[m, n], out C: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + B[i-1, j] - C[i, j-1] + B[i, j],
		B[i, j] = A[i, j] - B[i, j-1] + A[i+1, j-1] + B[i, j],
		C[i, j] = C[i-2, j-1] + A[i, j] - B[i, j] + A[i, j+1] boundary (1, -1, i32(i + j));
}
kernel one(x: f32[n], out y: f32[n]) {
	wavefront y[i] = 0.5 * y[i-1] + 0.25 * y[i-2] + x[i] boundary 0;
}
kernel one_right(x: f32[n], out y: f32[n]) {
	wavefront y[i] = 0.5 * y[i+1] + 0.25 * y[i+2] + x[i] boundary 0 from right;
}
kernel four(x: i32[a, b, m, n], out y: i32[a, b, m, n]) {
	wavefront y[k, l, i, j] = x[k, l, i, j] + y[k, l-1, i+1, j+1] - y[k, l, i-1, j+3] + y[k, l, i, j-1] boundary (i32(k + l + i + j));
}
kernel transposed(x: i32[n, m], out y: i32[n, m]) {
	wavefront y[j, i] = x[j, i] + y[j-1, i] - 2 * y[j, i-1] boundary (i32(2 * i + j)) for i in 0..m, j in 0..n;
}
kernel H_1_0(H_1_0: i32[m, n], H_0_1: i32, out H: i32[m, n]) {
	wavefront H[i, j] = H_1_0[i, j] * H_0_1 + H[i-1, j] - H[i, j-1] boundary H_0_1;
}
kernel targets(p: i32[m, n], inout a: i32[m, n], inout b: i32[m+1, n+1]) {
	wavefront a[i, j] = p[i, j] + b[i+1, j], b[i+1, j+1] = a[i, j-1] + b[i+2, j] boundary (i32(i - 2 * j));
}
kernel fill(p: i32[m, n], inout A: i32[m, n]) {
	wavefront A[i, j] = A[i-1, j] + p[i, j] boundary 0 where A[i, j] > 0 && A[i, j-1] + A[i+1, j] > -100;
}
kernel fill2(p: i32[m, n], inout A: i32[m, n]) {
	wavefront A[i, j] = A[i-1, j] + p[i, j] for i in 1..m, j in 0..n where A[i-1, j] > 0;
}
kernel fill3(q: i32[n], x: i32[n], inout A: i32[n, n], inout B: i32[n, n]) {
	wavefront A[i, j] = A[i, j] + 1, B[i, j] = A[i, j] - 1 boundary (x[q[j]], 2) where A[i-1, j] > 0 || B[i, j-1] < 3;
}
