// tone_map.pat - an image of high dynamic range is shown on a screen: the lightness becomes its
// place in the order of all of them (CS344, problem 3).
// Patterns: reduce, histogram, scan, gather.
const BINS: i64 = 1024;

fn bin(light: f32, low: f32, high: f32) -> i32 =
	high > low ? clamp(i32((light - low) / (high - low) * 1024), 0, 1023) : 0;

kernel tone_map(light: f32[h, w], out even: f32[h, w], out low: f32, out high: f32) {
	let count: i64[BINS];
	let before: i64[BINS];
	reduce low = min[y, x](light[y, x]), high = max[y, x](light[y, x]);
	histogram count[bin(light[y, x], low, high)] += 1;
	scan before[b] = sum(count[b]) exclusive;
	gather even[y, x] = f32(before[bin(light[y, x], low, high)]) / f32(h * w);
}

test known {
	tone_map(light = [[0, 1, 8], [2, 1, 4]])
		-> even = [[0, 0.16666667, 0.8333333], [0.5, 0.16666667, 0.6666667]], low = 0,
			high = 8;
	tone_map(light = [[3, 3]]) -> even = 0;
}
