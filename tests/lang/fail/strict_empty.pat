op mix(a: f32, b: f32) -> f32 = 0.5 * a + b;
kernel f(x: f32[n], out s: f32, out y: f32[n]) {
	reduce s = mix[i](x[i]) strict;
	reduce s = mix[i in 0..3](x[i]) where n > 2;
	stencil y[i] = mix[k in 0..3 where x[i] > 0](x[i + k]) strict boundary clamp;
}
