const A: f32 = 1;
const A: f32 = 2;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = A * x[i];
}
