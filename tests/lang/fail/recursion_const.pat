const A: i32 = B + 1;
const B: i32 = A + 1;
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
