struct P { a: f32 }
const T: P = P(1);
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
