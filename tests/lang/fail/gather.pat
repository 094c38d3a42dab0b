kernel f(k: i32[m], x: f32[n], inout y: f32[m], inout z: f32[n]) {
	gather y[i] = sum[j in 0..2](x[k[i] + j]);
	gather y[i] = x[k[i]] where any[j](x[j] > 0);
	gather z[k[i]] = x[i];
	gather z[i] = x[2 * i];
	gather z[i] = z[n - 1 - i];
}
