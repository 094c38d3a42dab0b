use "ops.pat";

kernel demo(x: f32[n], out y: f32[n]) {
	map y[i] = twice(x[i]);
}
