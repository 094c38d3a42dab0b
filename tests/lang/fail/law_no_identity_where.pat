op h(a: f32, b: f32) -> f32 = a * b associative;
kernel f(x: f32[n], out y: f32[n]) {
	reduce y[i] = h[k in 0..3 where k > i](x[i]);
}
