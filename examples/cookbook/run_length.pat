// run_length.pat - run-length encoding and decoding (Futhark's examples).
// Patterns: compact, stencil, scan, gather.
kernel encode(x: i32[n], out value: i32[n], out length: i32[n], out count: i64) {
	let start: i64[n];
	compact start, count = i, value = x[i] where i == 0 || x[i] != x[i-1];
	stencil length[k] = i32((k + 1 < count ? start[k+1] : n) - start[k])
		for k in 0..count boundary (0);
}
kernel decode(value: i32[k], length: i32[k], inout x: i32[n], out total: i64) {
	let end: i64[k];
	scan end[r] = sum(i64(length[r]));
	reduce total = sum[r](i64(length[r]));
	gather x[e] = value[r] for r in 0..k, e in end[r] - length[r]..end[r] unique;
}

test known {
	encode(x = [7, 7, 7, 2, 7, 7]) -> count = 3;
	encode(x = [1, 2, 3]) -> value = [1, 2, 3], length = 1, count = 3;
	encode(n = 0) -> count = 0;
	decode(value = [7, 2, 7], length = [3, 1, 2], x = [0, 0, 0, 0, 0, 0])
		-> x = [7, 7, 7, 2, 7, 7], total = 6;
	decode(value = [7, 2, 7], length = [3, 1, 2], x = [0, 0]) -> x = 7, total = 6 status index;
}
