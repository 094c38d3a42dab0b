// approx: every function that has an approximation, where the documents bound its error and where they do not.
// The emulator's functions are as inaccurate as the documents allow; the interpreter's bounds must hold all the same.
fn gauss(x: f32) -> f32 = exp(-x * x) / (1 + sqrt(abs(x)));
fn newton(x: f32) -> f32 {
	var r = x;
	for k in 0..3 {
		let step = (r * r - x) / (2 * r);
		if abs(step) < 1e-3 { return r + gauss(r); }
		r -= step;
	}
	return r;
}
fn positive(x: f32) -> f32 = max(x, 0);                   // nothing to approximate: one function for both
fn gauss_approx(x: f32) -> f32 = positive(x) - 1;         // the name that gauss's other form would have
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;

kernel functions(x: f32[n], y: f32[n], out a: f32[n], out b: f32[n], out c: f32[n], out d: f32[n], out e: f32[n],
	out f: f32[n], out g: f32[n], out h: f32[n])
{
	map a[i] = exp(x[i]) + exp2(8 * y[i]) approx;
	map b[i] = log(abs(x[i])) + log2(1 + y[i] * y[i]) * log10(abs(y[i]) + 1e-6) approx;
	map c[i] = sin(x[i]) * cos(y[i]) - cos(2 * x[i]) approx;
	map d[i] = tan(0.5 * x[i]) + tanh(y[i]) approx;
	map e[i] = pow(abs(x[i]), y[i]) approx;
	map f[i] = sqrt(abs(x[i])) + rsqrt(1 + abs(y[i])) approx;
	map g[i] = x[i] / y[i] + 1 / (3 + x[i]) approx;
	map h[i] = sin(8 * x[i]) approx;
}
kernel calls(x: f32[n], z: f64[n], out a: f32[n], out b: f32[n], out c: f64[n], out s: f32, out t: f32, out m: f32) {
	map a[i] = newton(abs(x[i]) + 1) + gauss(x[i]) + positive(x[i]) where gauss(x[i]) < 2 approx;
	map b[i] = newton(abs(x[i]) + 1) + gauss_approx(x[i]);
	map c[i] = exp(z[i]) / (1 + f64(sqrt(abs(x[i])))) approx;     // of f64 a CPU has vectors of it
	reduce s = lse[i](x[i] / 3) approx;
	reduce t = lse[i](x[i] / 3);
	reduce m = max[i where exp(x[i]) > 0.25](sin(x[i])) / 2 approx;
}
kernel near(x: f32[n], q: i32[n], out y: f32[n], out k: i32[n]) {
	stencil y[i] = exp(x[i-1]) / (1 + exp(x[i+1])) boundary (1 / (exp(f32(i) * 0.001) + 2)) approx;
	map k[i] = (q[i] / 3) % 7 approx;                         // integers are exact
	map y[i] = y[i] / 3 + f32(k[i]) for i in 0..n/2 approx;
}
