kernel k(a: f32[n, m], out c: f32[n, m], out s: f32[n]) {
	cells: map c[i, j] = a[i, j] + 1;
	rows: reduce s[i] = max[j](a[i, j]);
}
schedule k for cuda { cells: walk packet; }
