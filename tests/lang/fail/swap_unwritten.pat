kernel f(x: f32[n], out y: f32[n], out z: f32[n]) {
	map y[i] = x[i];
	swap y, z;
}
kernel g(x: f32[n], out y: f32[n], out z: f32[n]) { swap z, y; map y[i] = x[i]; }
kernel h(inout a: f32[n], out b: f32[n]) { repeat t < 3 { swap a, b; map b[i] = 2 * a[i]; } }
