struct P { a: f32[2], b: i32 }
kernel f(x: f32[n, m], p: P, i: u8, out y: f32[n]) { map y[i2] = x[i2, 0] + p.a[0] + i for i2 in 0..0; }
test t {
	f(x = [1, 2], p = P([1, 2], 3));
	f(x = [[1, 2], [3]]);
	f(x = [[1, 2], 3]);
	f(p = P([1], 3));
	f(p = P(1, 3));
	f(p = P([1, 2]));
	f(p = 1);
	f(i = 256);
	f(i = [1]);
	f(x = y);
	f(x = "data.bin");
	f() -> y = random;
	f(n = random);
}
