// reduce.pat - folds to a scalar, along rows and along columns; rows folded and mapped.
kernel sum_f32(x: f32[n], out s: f32)
{
	reduce s = sum[i](x[i]);
}

kernel sum_f64(x: f64[n], out s: f64)
{
	reduce s = sum[i](x[i]);
}

kernel sum_i32(x: i32[n], out s: i32)
{
	reduce s = sum[i](x[i]);
}

kernel sum_u8(x: u8[n], out s: i32)
{
	reduce s = sum[i](x[i]);
}

kernel max_f32(x: f32[n], out s: f32)
{
	reduce s = max[i](x[i]);
}

kernel dot_f32(x: f32[n], y: f32[n], out s: f32)
{
	reduce s = sum[i](x[i] * y[i]);
}

kernel rows(a: f32[n, m], out s: f32[n])
{
	reduce s[i] = sum[j](a[i, j]);
}

kernel columns(a: f32[n, m], out s: f32[m])
{
	reduce s[j] = sum[i](a[i, j]);
}

kernel softmax(x: f32[n, m], out y: f32[n, m])
{
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = max[j](x[i, j]);
	reduce total[i] = sum[j](exp(x[i, j] - top[i]));
	map y[i, j] = exp(x[i, j] - top[i]) / total[i];
}

kernel normalise(x: f32[n, m], out y: f32[n, m])
{
	let mean: f32[n];
	let scale: f32[n];
	reduce mean[i] = sum[j](x[i, j]) / m;
	reduce scale[i] = rsqrt(sum[j]((x[i, j] - mean[i]) * (x[i, j] - mean[i])) / m + 1e-5);
	map y[i, j] = (x[i, j] - mean[i]) * scale[i];
}
