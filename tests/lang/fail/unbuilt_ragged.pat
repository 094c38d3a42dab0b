kernel f(off: i32[m+1], x: f32[n], out y: f32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]);
}
