// binomial_option.pat - the prices of American put options by a binomial tree (Cox, Ross and
// Rubinstein 1979; CUDA's samples, Futhark's benchmarks).  Patterns: repeat, map, stencil.

// The tree of one option has its last level in value[o, 0..steps]; each pass goes one level back.
kernel binomial_option(size steps: i64, rate: f32, up: f32, years: f32, price: f32[n],
                       strike: f32[n], out put: f32[n]) {
	require steps >= 1, up > 1, years > 0;
	let value: f32[n, steps+1];
	let next: f32[n, steps+1];
	let back: f32;          // what a unit of money in the next level is worth
	let p: f32;             // how likely a step up is
	map back = exp(-rate * years / f32(steps));
	map p = (1 / back - 1 / up) / (up - 1 / up);
	map value[o, j] = max(0, strike[o] - price[o] * pow(up, f32(2 * j - steps)));
	repeat t < steps {
		stencil next[o, j] = max(strike[o] - price[o] * pow(up, f32(2 * j - steps + t + 1)),
			back * (p * value[o, j+1] + (1 - p) * value[o, j])) for j in 0..steps - t;
		swap value, next;
	}
	map put[o] = value[o, 0];
}

test known {
	binomial_option(steps = 1, rate = 0, up = 2, years = 1, price = [4], strike = [5]) -> put =
		[2];
}
