fn f(x: f32) -> f32 {
	let a;
	var b;
	if x > 1 return 2;
	x + 1;
	for i in 0..3 x += 1;
	while { x = 1; }
	return;
	break 3;
	else { }
	map y[i] = x;
	return x;
}
