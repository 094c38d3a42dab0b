// map.pat - y = a x + y.
kernel saxpy(a: f32, x: f32[n], inout y: f32[n])
{
	map y[i] = a * x[i] + y[i];
}
