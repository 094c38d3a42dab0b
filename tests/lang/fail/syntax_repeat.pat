kernel f(x: f32[n], out y: f32[n]) {
	repeat 3 { map y[i] = 1; }
	repeat t > 3 { map y[i] = 1; }
	repeat t < { map y[i] = 1; }
	repeat until { map y[i] = 1; }
	repeat t < 3 map y[i] = 1;
}
