// clauses_grouped.pat - values of clauses in parentheses, behind one word or two.
kernel sorts(k: i64, off: i32[m], inout x: i32[n], inout y: i32[n], inout z: i32[n], inout w: i32[n], out at: i64[n]) {
	segsort x by < segments of (k);
	segsort y by < segments of (2*k - 1);
	segsort z by < of (k + 1);
	segsort w by > segments (off) into (at);
}
kernel scans(k: i64, x: i32[n], off: i32[m], out a: i32[n], out b: i32[n], out c: i32[n], inout d: i32[n], out e: i32) {
	scan a[i] = sum(x[i]) of (k);
	scan b[i] = sum(x[i]) from (2*3) of (k + 1);
	repeat until e > 0 at most (k - k + 1) { scan c[i] = sum(x[i]) from right segments (off); reduce e = max[i](c[i]); }
	repeat t < (k - 1) { stencil d[i] = x[i-1] boundary (3 * 2); }
}
test in_parentheses {
	sorts(k = 2, off = [0, 3, 5], x = [5, 4, 3, 2, 1], y = [5, 4, 3, 2, 1], z = [5, 4, 3, 2, 1], w = [1, 2, 3, 4, 5])
		-> x = [4, 5, 2, 3, 1], y = [3, 4, 5, 1, 2], z = [3, 4, 5, 1, 2], w = [1, 2, 3, 4, 5], at = [2, 1, 0, 4, 3];
	scans(k = 2, off = [0, 3, 5], x = [5, 4, 3, 2, 1], d = 0)
		-> a = [5, 9, 3, 5, 1], b = [11, 15, 18, 8, 9], c = [12, 7, 3, 3, 1], d = [6, 5, 4, 3, 2];
}
