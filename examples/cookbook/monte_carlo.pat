// monte_carlo.pat - pi from random points in a square (Futhark's examples).
// Patterns: reduce; random numbers are a function of their place.

// The low-bias hash of C. Wellons: what comes of neighbouring numbers is unrelated.
fn hash(x: u32) -> u32 {
	var h = x;
	h ^= h >> 16;
	h *= 0x7feb352d;
	h ^= h >> 15;
	h *= 0x846ca68b;
	h ^= h >> 16;
	return h;
}
fn unit(x: u32) -> f32 = f32(hash(x) >> 8) / 16777216;
fn inside(x: f32, y: f32) -> bool = x * x + y * y < 1;

kernel monte_carlo(seed: u32, size points: i64, out pi: f64) {
	require points >= 1;
	let hits: i64;
	reduce hits = count[i in 0..points](
			inside(unit(seed + u32(2 * i)), unit(seed + u32(2 * i + 1))));
	map pi = 4 * f64(hits) / f64(points);
}

test near_pi {
	monte_carlo(seed = 1, points = 100000) -> pi = 3.14159 within 5e-3;
}
