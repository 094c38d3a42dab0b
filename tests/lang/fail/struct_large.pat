struct A { f: f64[5000] }
struct B { f: A[2] }
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
