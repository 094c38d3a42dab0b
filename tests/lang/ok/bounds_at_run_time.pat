// the test is made where the data are known
kernel f(x: f32[n], s: i32, out y: f32[n], out c: i64) {
	let last: i64;
	reduce last = count[i](x[i] > 0);
	map y[i] = x[i] for i in 0..s;
	map y[i] = 2 * x[i] where i < last;
	map c = last;
}
