kernel f(x: f32[n], out y: f32[n]) {
	3;
	x + 1;
	;
	map;
	map y[i] + 1;
	map = 3;
	= 3;
}
