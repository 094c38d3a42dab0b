// what the data bound: a range that ends at a count found on the device.
kernel counted(x: f32[n], out y: f32[n], out c: i64)
{
	let last: i64;
	reduce last = count[i](x[i] > 0);
	map y[i] = x[i] for i in 0..last;
	map c = last;
}
