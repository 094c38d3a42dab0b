// fft.pat - the discrete Fourier transform of 2^bits values (Stockham's radix 2; Futhark's
// library).  Patterns: map, repeat, gather.
struct Complex { re, im: f32 }
const TAU: f64 = 6.283185307179586;

fn sum_with(a: Complex, b: Complex, w: Complex) -> Complex =
	Complex(a.re + w.re * b.re - w.im * b.im, a.im + w.re * b.im + w.im * b.re);

// Pass t joins transforms of 2^t values; half of the result comes of each half of its input.
kernel fft(bits: i64, inout x: Complex[2*half]) {
	require 1 <= bits && bits < 32, 2 * half == 1 << bits;
	let y: Complex[2*half];
	let root: Complex[2*half];
	map root[k] = Complex(f32(cos(TAU * f64(k) / f64(2 * half))),
		f32(-sin(TAU * f64(k) / f64(2 * half))));
	repeat t < bits {
		gather y[i] = sum_with(x[(i >> (t+1) << t) + (i & ((1 << t) - 1))],
			x[(i >> (t+1) << t) + (i & ((1 << t) - 1)) + half],
			root[(i & ((2 << t) - 1)) << (bits - 1 - t)]);
		swap x, y;
	}
}

test known {
	fft(bits = 2, x = [Complex(1, 0), Complex(0, 0), Complex(0, 0), Complex(0, 0)], half = 2)
		-> x = Complex(1, 0);
	fft(bits = 2, x = [Complex(0, 0), Complex(1, 0), Complex(0, 0), Complex(0, 0)], half = 2)
		-> x = [Complex(1, 0), Complex(0, -1), Complex(-1, 0), Complex(0, 1)] within 1e-6;
	fft(bits = 3, half = 3, x = Complex(1, 0)) -> status required;
}
