kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i] @ 2;
	map y[i] = $x;
	map y[i] = x[i] # 1;
	map y[i] = `x`;
	map y[i] = x\1;
}
