// Keys that a map computes: inside a selection, but for a whole sort by digits, and what is moved.
kernel inside(x: f32[n, m], y: f32[n], out at: i32[n, m], out v: f32[n]) {
	let d: f32[n, m];
	let e: f32[n, m];
	map d[i, j] = abs(x[i, j] - y[i]);
	map e[i, j] = x[i, j] * y[i];
	segsort d first 8 into at;
	reduce v[i] = kth[j](e[i, j], m / 2);
}
kernel kept(x: f32[n], out at: i32[n], out to: f32[n]) {
	let d: f32[n];
	let e: f32[n];
	map d[i] = x[i] * 2;
	map e[i] = -x[i];
	sort d into at;
	sort e first 3;
	map to[i] = e[i];
}
