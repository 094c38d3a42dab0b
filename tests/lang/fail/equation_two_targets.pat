kernel f(x: f32[n], out a: f32, out b: i64) {
	reduce a, b = max[i](x[i]);
}
