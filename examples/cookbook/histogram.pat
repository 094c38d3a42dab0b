// histogram.pat - how often each value occurs: bytes, and floats in bins of equal width (CS344,
// unit 3 and problem 5; Futhark's examples).  Patterns: histogram, map.
kernel histogram_of_bytes(x: u8[n], out count: u32[256]) {
	map count[b] = 0;
	histogram count[x[i]] += 1;
}
kernel histogram_of_floats(low: f32, high: f32, x: f32[n], out count: u32[bins]) {
	require high > low;
	map count[b] = 0;
	histogram count[i32(floor((x[i] - low) / (high - low) * f32(bins)))] += 1 drop;
}

test known {
	histogram_of_floats(low = 0, high = 4, bins = 4, x = [0, 0.5, 1, 3.9, 4, -0.5])
		-> count = [2, 1, 0, 1];
	histogram_of_floats(low = 1, high = 1, bins = 4, x = [0]) -> status required;
	histogram_of_bytes(n = 0) -> count = 0;
	histogram_of_bytes(n = 1000, x = random);
}
