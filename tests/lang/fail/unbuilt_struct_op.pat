struct P { a: f32 }
op o(a: P, b: P) -> P = a associative;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
