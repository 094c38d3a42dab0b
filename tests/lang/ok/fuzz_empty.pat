// what random programs found in empty ranges: no `% 0`, no size that nothing uses
kernel empty(x: f64[n, 2], inout w: f64, inout v: f64[n], out m: i32) {
	reduce w = sum[i, k in 2..2](x[i, k]);
	reduce v[i] = sum[k in 1..1](x[i, k]);
	map v[i] = 3 for i in 4..4;
	reduce m = max[i, k in 2..1](i32(x[i, k]));
}
kernel by_zero(x: i32[n], f: f32[n], u: u8[n], out a: i32[n], out b: i32[n], out c: f32[n], out d: u8[n]) {
	map a[i] = x[i] / 0, b[i] = x[i] % 0, c[i] = f[i] / 0, d[i] = u[i] % 0;
}

// two ranges that end before they begin are no cells, not as many as their product
kernel both_empty(x: u64[n, n, h], inout t: u64[n, n, h], out s: u64[n], out m: u64) {
	map t[i, j, k] = x[i, j, k] - 3 for i in 0..n-1, j in 0..n-2, k in 1..h where k + j < 86;
	stencil t[i, j, k] += x[i+1, j+2, k] for i in 0..n-1, j in 0..n-2;
	reduce s[i] = sum[j in 3..n-1, k in 2..h-3](x[i, j, k]);
	reduce m = sum[i in 0..n-2, j in 0..n-5, k in 0..h](x[i, j, k]);
}
schedule both_empty for cuda { stage shared; }
schedule both_empty for hip { stage shared; }
