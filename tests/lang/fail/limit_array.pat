kernel f(k: i32[n], out y: f32[n]) {
	repeat t < k[0] { map y[i] = 1; }
}
