extern fn e(x: f32) -> f32 from "a.h";
extern fn size(x: i64) -> i64 from "a.h";
const C: f32 = e(1);
kernel f(x: f32[n], inout y: f32[n], i64s: i64[size(3)]) {
	map y[i] = e(x[i], 1);
	map y[i] = e(1.0f64);
	map y[i] = e[j](x[j]);
	map y[i] = x[size(i)] for i in 0..size(n);
}
