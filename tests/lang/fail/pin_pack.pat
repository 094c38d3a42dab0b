// what cannot share words, by name
kernel floats(p: f32[l, m, n], out best: f32[l]) {
	let A: f32[l, m, n];
	all: wavefront A[k, i, j] = max(A[k, i, j-1], A[k, i-1, j], A[k, i-1, j-1] + p[k, i, j]) boundary 0;
	reduce best[k] = max[i, j](A[k, i, j]);
}
kernel stored(out A: i32[l, m, n]) {
	all: wavefront A[k, i, j] = max(A[k, i, j-1], A[k, i-1, j], A[k, i-1, j-1] + 1) boundary 0;
}
kernel any_weight(p: i32[l, m, n], out best: i32[l]) {
	let A: i32[l, m, n];
	all: wavefront A[k, i, j] = max(A[k, i, j-1], A[k, i-1, j], A[k, i-1, j-1] + p[k, i, j]) boundary 0;
	reduce best[k] = max[i, j](A[k, i, j]);
}
kernel large(out best: i32[l], q: u8[m], d: u8[n]) {
	let A: i32[l, m, n];
	all: wavefront A[k, i, j] = max(A[k, i, j-1], A[k, i-1, j], A[k, i-1, j-1] + (q[i] == d[j] ? 20000 : -1)) boundary 0;
	reduce best[k] = max[i, j](A[k, i, j]);
}
kernel product(out best: i32[l], m: i64, q: u8[n]) {
	let A: i32[l, 9, n];
	all: wavefront A[k, i, j] = max(A[k, i, j-1], 2 * A[k, i-1, j]) boundary 1;
	reduce best[k] = max[i, j](A[k, i, j]);
}
kernel far(out best: i32[l], q: u8[n]) {
	let A: i32[l, 9, n];
	all: wavefront A[k, i, j] = q[j] == 1 ? A[k, i, j-1] + 1 : A[k, i-1, j] boundary -100000;
	reduce best[k] = max[i, j](A[k, i, j]);
}
kernel summed(out sum_of: i32[l], q: u8[n]) {
	let A: i32[l, 9, n];
	all: wavefront A[k, i, j] = max(A[k, i, j-1], A[k, i-1, j]) + q[j] boundary 0;
	reduce sum_of[k] = sum[i, j](A[k, i, j]);
}
kernel single(q: u8[n], out best: i32) {
	let A: i32[n, n];
	all: wavefront A[i, j] = max(A[i, j-1], A[i-1, j]) + q[j] boundary 0;
	reduce best = max[i, j](A[i, j]);
}
schedule floats for cuda { all: sweep batch, pack 16; }
schedule stored for cuda { all: sweep batch, pack 16; }
schedule any_weight for cuda { all: sweep batch, pack 16; }
schedule large for cuda { all: sweep batch, pack 16; }
schedule product for cuda { all: sweep batch, pack 16; }
schedule far for cuda { all: sweep batch, pack 16; }
schedule summed for cuda { all: sweep batch, pack 16; }
schedule single for cuda { all: pack 16; }
