kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = 2 × x[i];
	map y[i] = x[i] − 1;
	map y[i] = x[i] ≤ 1 ? 0 : 1;
	map y[i] = x[i] ∘ 1;
}
