const A = 3;
const B: f32;
const: f32 = 1;
const C: f32 = 1
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
