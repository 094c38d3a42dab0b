// patc --target=cuda
// Which statements share the rows of a fold before them, and why others do not.
kernel shared(x: f32[n, m], out y: f32[n, m])
{
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = max[j](x[i, j]);
	reduce total[i] = sum[j](exp(x[i, j] - top[i]));
	map y[i, j] = exp(x[i, j] - top[i]) / total[i];
}

kernel across(x: f32[n, n], out r: f32[n], out c: f32[n], out y: f32[n, n])
{
	reduce r[i] = sum[j](x[i, j]);
	reduce c[j] = sum[i](x[i, j]);
	reduce r[i] = min[j](x[i, j]);
	map y[i, j] = x[i, j] - r[j];
}

kernel counted(x: f32[n, m], inout y: f32[n, m], z: i32[l])
{
	let top: f32[n];
	let some: i64;
	reduce some = count[i](z[i] > 0);
	reduce top[i] = max[j](x[i, j]);
	map y[i, j] = top[i] for i in 0..n, j in 0..some;
}

kernel exact(x: f32[n, m], out top: f32[n], out y: f32[n, m], inout low: f32[n])
{
	reduce top[i] = max[j](x[i, j]);
	map y[i, j] = x[i, j] * 3 + top[i] strict;
	reduce top[i] = max[j](x[i, j]);
	reduce low[i] = min[j](x[i, j]) where top[i] > 0;
}

kernel columns(x: f32[n, m], out top: f32[n], out y: f32[n, m] layout col, out z: f32[n, m], w: f32[n, m])
{
	reduce top[i] = max[j](x[i, j]);
	map y[i, j] = x[i, j];
	reduce top[i] = min[j](x[i, j]);
	map z[i, j] = x[i, j] for i in 1..n, j in 0..m;
	reduce top[i] = sum[j](x[i, j]);
	map z[i, j] = w[i, j];
}

kernel many(inout x: f32[n, m], out a: f32[n])
{
	reduce a[i] = max[j](x[i, j]);
	map x[i, j] = x[i, j] - a[i];
	reduce a[i] = min[j](x[i, j]);
	map x[i, j] = x[i, j] - a[i];
	reduce a[i] = sum[j](x[i, j]);
	map x[i, j] = x[i, j] - a[i];
	reduce a[i] = prod[j](x[i, j]);
	map x[i, j] = x[i, j] - a[i];
	reduce a[i] = max[j](x[i, j]);
}
kernel kept(x: f32[n, m], out y: f32[n, m], out z: f32[n, m]) {
	let h: f32[n];
	let l: f32[n];
	top: reduce h[i] = max[j](x[i, j]);
	map y[i, j] = x[i, j] - h[i];
	low: reduce l[i] = min[j](y[i, j]);
	map z[i, j] = y[i, j] - l[i];
}
schedule kept for cuda { top: stage l1; }
kernel staged(x: f32[n, m], out y: f32[n, m]) {
	let h: f32[n];
	top: reduce h[i] = max[j](x[i, j]);
	map y[i, j] = x[i, j] - h[i];
}
schedule staged for cuda { stage shared; }
kernel no_rows(x: f32[n, c, m], y: f32[n, n], out z: f32[n, c, m], out w: f32[n, n])
{
	let mean: f32[n];
	let part: f32[n];
	reduce mean[i] = sum[k, j](x[i, k, j]);
	map z[i, k, j] = x[i, k, j] - mean[i];
	reduce part[i] = max[j in 0..i+1](y[i, j]);
	map w[i, j] = y[i, j] - part[i];
}
