kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
test t {
	f(x = [1] -> y = [1];
	f x = 1;
}
test u refused P0401 {
	kernel g(x: f32[n], out y: f32[n]) {
		map y[i] = x[i];

	kernel h(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
}
test v {
	f(x = [1]);
