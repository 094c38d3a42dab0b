kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = größe * 2;
}
const α: f32 = 1;
