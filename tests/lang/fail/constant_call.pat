fn two() -> f32 = 2;
const T: f32 = two();
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = T * x[i];
}
