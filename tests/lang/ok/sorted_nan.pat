// keys that are not a number are moved like all others; which NaN arithmetic gives is left to the machine
kernel roots(x: f16[n], y: f32[n], out r: f16[n], out s: bf16[n], inout p: u32[n]) {
	map r[i] = f16(sqrt(x[i])), s[i] = bf16(sqrt(y[i]));
	segsort s with p of 7 by >;
	segsort r of 5 by <;
}
