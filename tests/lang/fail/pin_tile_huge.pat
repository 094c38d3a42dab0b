kernel f(x: f32[n], out y: f32[n]) {
	step: map y[i] = x[i];
}
schedule f for cuda { step: tile 8 x 1000000; }
