// fft.pat - the discrete Fourier transform of 2^bits values (Stockham's radix 2; Futhark's
// library).  Patterns: repeat, gather.
struct Complex { re, im: f32 }
const TAU: f64 = 6.283185307179586;

fn joined(a: Complex, b: Complex, c: f32, s: f32) -> Complex =
	Complex(a.re + c * b.re - s * b.im, a.im + c * b.im + s * b.re);
fn turned(a: Complex, b: Complex, turn: f64) -> Complex =
	joined(a, b, f32(cos(TAU * turn)), f32(-sin(TAU * turn)));

// Pass t joins transforms of 2^t values; half of the result comes of each half of its input.
kernel fft(bits: i64, inout x: Complex[2*half]) {
	require 1 <= bits && bits < 32, 2 * half == 1 << bits;
	let y: Complex[2*half];
	repeat t < bits {
		gather y[i] = turned(x[(i >> (t+1) << t) + (i & ((1 << t) - 1))],
			x[(i >> (t+1) << t) + (i & ((1 << t) - 1)) + half],
			f64(i & ((2 << t) - 1)) / f64(2 << t));
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
