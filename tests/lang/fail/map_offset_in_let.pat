kernel f(x: f32[n], out y: f32[n]) {
	let t: f32[n];
	map t[i] = x[i+1] for i in 0..n-1;
	map y[i] = t[i];
}
