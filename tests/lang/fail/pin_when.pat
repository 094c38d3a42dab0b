kernel f(x: f32[n], s: f32, inout r: f32, out y: f32[n]) {
	a: map y[i] = s * x[i];
	reduce r = sum[i](x[i]);
}
schedule f for cuda {
	a: vector 1 when x[0] > 0;
	a: vector 2 when r > 0;
	a: coarsen 2 when n;
	a: coarsen 2 when k > 2;
	a: vector 4 when s > 2;
}
schedule f for hip { vector 1 when r == 1; vector 2 when y > 1; vector 4 when n > sum[i](x[i]); }
