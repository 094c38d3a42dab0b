// The mask of a reduce is a guard: what it leaves out is not read either (R7).
kernel guards(x: f32[m, n], y: f32[m], out s: f32, out t: f32[m], out u: f32[n], inout v: i64) {
	reduce s = sum[r](x[r, 0]) where n > 0;
	reduce t[r] = sum[c](x[r + 1, c]) where r + 1 < m;
	reduce u[c] = max[r](x[r, c + 1] * y[r]) where c + 1 < n;
	reduce v = count[c](x[m - 1, c] > 0) where m > 0 && v >= 0;
}
