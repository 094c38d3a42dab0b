kernel f(x: f32[n], out y: f32[n]) { if any[i](x[i] < 0) { map y[i] = 0; } else { map y[i] = x[i]; } }
kernel g(x: f32[n], holds: f32, out y: f32[n]) {
	map y[i] = holds; if count[i](x[i] < 0) > 3 { map y[i] = 0; }
}
