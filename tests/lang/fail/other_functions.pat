// Functions that other languages have, and that are near no function that means the same.
kernel f(x: f32[n], t: f32, out y: f32[n], out s: f32) {
	map y[i] = sign(x[i]) * sqrt(abs(x[i]));
	map y[i] = lerp(x[i], 2, t) + frac(x[i]) + exp10(t);
	map y[i] = mad(x[i], 2, t);
	reduce s = median[i](x[i]);
}
