kernel f(x: f32[n], out y: f32[n]) {
	step: map y[i] = x[i];
}
schedule f for cuda { coarsen 2; }
schedule ff for cuda { coarsen 2; }
