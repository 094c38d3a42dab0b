// for, where, triangles, fixed subscripts, several equations.
kernel domains(a: f32[n, n], lo: i32, out u: f32[n, n], out d: f32[n], out v: f32[n], out h: f32[n, 2]) {
	map u[i, j] = a[i, j] for i in 0..n, j in 0..i;
	map u[i, j] = 0 for j in 0..n, i in 0..j+1;
	map d[i] = 1, v[i] = d[i] + 1;
	map h[i, 0] = d[i];
	map h[i, 1] = d[i] for i in 1..n-1;
	reduce d[i] = sum[j in 0..i](a[i, j]);
	reduce d[i] = sum[j in 0..n where j != i](a[i, j]) where i >= lo;
	map v[i+1] = 3 for i in 0..n-1;
	map v[2*i] = 4 for i in 0..(n+1)/2 where 2*i < n;
}
// A number that the caller gives bounds what is kept: room is made for all that there may be.
kernel limited(x: f32[n, m], lim: i64, inout h: f32[n], inout z: f32[n, m], inout c: f32[m]) {
	reduce h[i] = max[j](x[i, j]) for i in 0..max(0, min(lim, n));
	map z[i, j] = x[i, j] - h[i] for i in 0..max(0, min(lim, n)), j in 0..m;
	reduce c[j] = sum[i](x[i, j]) for j in 0..max(0, min(lim, m));
}
