struct f32 { x: i32 }
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
