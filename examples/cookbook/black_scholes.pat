// black_scholes.pat - the prices of European options (CUDA's samples, PARSEC, Futhark's
// benchmarks).  Patterns: map.
fn below(x: f32) -> f32 = 0.5 * erfc(-0.70710678 * x);
fn call_of(s: f32, k: f32, t: f32, rate: f32, vol: f32) -> f32 {
	let d1 = (log(s / k) + (rate + 0.5 * vol * vol) * t) / (vol * sqrt(t));
	let d2 = d1 - vol * sqrt(t);
	return s * below(d1) - k * exp(-rate * t) * below(d2);
}

kernel black_scholes(rate: f32, vol: f32, price: f32[n], strike: f32[n], years: f32[n],
                     out call: f32[n], out put: f32[n]) {
	map call[i] = call_of(price[i], strike[i], years[i], rate, vol),
	    put[i] = call[i] + strike[i] * exp(-rate * years[i]) - price[i];
}

test known {
	black_scholes(rate = 0.05, vol = 0.2, price = [100], strike = [100], years = [1])
		-> call = [10.450584], put = [5.5735260] within 1e-4;
}
