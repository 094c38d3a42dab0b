kernel f(off: i64[s+1], w: u8[s], x: f32[n], out y: f32[n]) {
	scan y[i] = sum(x[i]) segments off;
}
