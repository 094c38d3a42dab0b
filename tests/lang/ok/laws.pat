// Laws that hold, and are tested: over floats up to rounding, over integers as they wrap.
op lse(a: f64, b: f64) -> f64 = a == b ? a + 0.69314718055994530942 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;
op plus(a: f64, b: f64) -> f64 = a + b identity 0, associative, commutative, distributes over lse,
	distributes over max;
op times(a: f32, b: f32) -> f32 = a * b identity 1, associative, commutative, distributes over sum;
op far(a: f32, b: f32) -> f32 = abs(a) > abs(b) ? a : b identity 0, associative;
op gcd(a: u32, b: u32) -> u32 {
	var x = a;
	var y = b;
	while y != 0 {
		let r = x % y;
		x = y;
		y = r;
	}
	return x;
} identity 0, associative, commutative;
op sat(a: u8, b: u8) -> u8 = a > 255 - b ? 255 : u8(a + b) identity 0, associative, commutative;
op odd(a: bool, b: bool) -> bool = a != b identity false, associative, commutative;
// Affine maps x -> p x + q over 16-bit integers, p above q: composition, not commutative.
op then(a: u32, b: u32) -> u32 = (a >> 16) * (b >> 16) << 16 | ((b >> 16) * (a & 65535) + b & 65535)
	identity 65536, associative;
// Known to hold for the values in use: not tested.
op norm(a: f32, b: f32) -> f32 = sqrt(a * a + b * b) assume identity 0, associative, commutative;
kernel laws(x: f64[n], y: f32[n], u: u32[n], v: u8[n], b: bool[n], out s: f64, out t: f64, out p: f32,
            out q: f32, out d: u32, out w: u8, out o: bool, out m: u32, out l: f32) {
	reduce s = lse[i](x[i]), t = plus[i](x[i]);
	reduce p = times[i](y[i]), q = far[i](y[i]), l = norm[i](y[i]);
	reduce d = gcd[i](u[i]);
	reduce w = sat[i](v[i]);
	reduce o = odd[i](b[i]);
	reduce m = then[i](u[i]);
}
