op sat(a: i8, b: i8) -> i8 = i8(clamp(i16(a) + i16(b), -128, 127)) identity 0, associative;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = 2 * x[i];
}
