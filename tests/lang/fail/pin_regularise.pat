kernel f(off: i32[m+1], x: f32[n], out y: f32[m], out z: f32[n]) {
	flat: map z[i] = x[i];
	masked: reduce y[r] = sum[e in off[r]..off[r+1]](x[e]) where r > 0;
}
schedule f for cuda { flat: regularise; masked: regularise; }
