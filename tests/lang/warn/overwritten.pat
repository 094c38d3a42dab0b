kernel twice(x: f32[n], out y: f32[n], out s: f32) {
	let t: f32 = 0;
	map y[i] = x[i];
	map y[i] = 2 * x[i];
	reduce t = sum[i](x[i]);
	map s = t;
}
kernel fine(x: f32[n], out y: f32[n], out z: f32[n], inout w: f32[n]) {
	map y[i] = x[i];
	map y[i] = 2 * x[i] where x[i] > 0;
	map z[i] = y[i];
	map z[i] += 1;
	map w[i] = x[i], w[i] = w[i] + 1;
	repeat t < 2 {
		map y[i] = w[i];
		swap y, w;
		map y[i] = 2 * x[i];
	}
	if n > 7 {
		map z[i] = w[i];
	}
	map z[i] = y[i] for i in 0..n-1;
	map w[i] = z[i];
}
kernel fills(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
kernel calls(x: f32[n], out y: f32[n]) {
	fills(x, y);
	map y[i] = 2 * x[i];
}
