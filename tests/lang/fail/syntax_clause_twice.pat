kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i] where i > 1 where i < 3;
	map y[i] = x[i] for i in 0..n for i in 1..n;
	compact y = x[i] else z else w;
	scan y[i] = x[i] using ○ = + using ○ = *;
}
