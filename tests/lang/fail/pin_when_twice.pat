kernel f(x: f32[n], out y: f32[n]) { a: map y[i] = 2 * x[i]; }
schedule f for cuda {
	a: vector 1 when n < 4;
	a: coarsen 2, vector 2 when n < 4;
	a: vector 2 when n < 5;
	a: vector 4;
	a: vector 1 when n < 6;
	a: vector 1 when n < 7;
	a: vector 1 when n < 8;
	a: vector 1 when n < 9;
	a: vector 1 when n < 10;
	a: vector 1 when n < 11;
}
