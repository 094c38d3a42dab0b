kernel f(x: f32[n], out y: f32[n]) {
	step: map y[i] = x[i];
}
schedule f for cuda { step: vector 2; step: coarsen 2; }
schedule f for cuda sm_90 { step: vector 4; }
schedule f for cuda { step: vector 4; }
