struct A { b: B }
struct B { a: A[2] }
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
