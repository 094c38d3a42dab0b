kernel k(q: u8[l, m, n], out A: i32[l, m, n]) {
	all: wavefront A[k, i, j] = max(A[k, i, j-1], A[k, i-1, j]) + q[k, i, j] boundary 0;
	other: map A[k, i, j] = 0;
	third: map A[k, i, j] = 1;
}
schedule k for cuda { all: pack 8; }
schedule k for cuda { other: no pack 16; third: pack; }
