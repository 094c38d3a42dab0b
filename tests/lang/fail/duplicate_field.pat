struct P { x: f32, y, x: f32 }
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
