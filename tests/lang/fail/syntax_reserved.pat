kernel in(x: f32[n]) { }
kernel f(while: f32[n]) { }
kernel g(out y: f32[n]) {
	let return: f32[n];
	map y[i] = if;
}
