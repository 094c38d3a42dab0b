kernel f(x: f32[n], out y: f32[n]) {
	plain: map y[i] = x[i];
}
schedule f for cuda { plain: sweep diagonal; }
