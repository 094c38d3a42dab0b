kernel leaves(p: f32[m, n], inout a: f32[m, n]) { wavefront a[i, j] = p[i, j] + a[i-1, j]; }
kernel right(p: f32[m, n], inout a: f32[m, n]) { wavefront a[i, j] = a[i-1, j] - a[i, j+1] for i in 1..m, j in 0..n; }
kernel corner(top: i32[n], left: i32[m], out a: i32[m, n]) {
	wavefront a[i, j] = a[i-1, j-1] + a[i, j-1] boundary (i < 0 ? top[j] : left[i]);
}
kernel offset(x: i32[m], inout a: i32[m+1, n]) {
	wavefront a[i+1, j] = a[i+2, j] boundary x[i+5] for i in 0..m, j in 0..n;
}
kernel data(c: i32[n], inout a: i32[n, n]) {
	let k: i32;
	reduce k = sum[i](c[i]);
	wavefront a[i, j] = a[i-1, j] for i in 1..k, j in 0..n;
}
kernel mask(c: i32[n], inout a: i32[n, n]) {
	let k: i32;
	reduce k = sum[i](c[i]);
	wavefront a[i, j] = 1 for i in 1..k, j in 0..n where a[i-1, j] > 0;
}
