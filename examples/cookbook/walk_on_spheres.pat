// walk_on_spheres.pat - the temperature inside a disc whose rim is warm above and cold below, by
// random walks (M. Muller, 1956).
// Patterns: reduce; a function with a limited loop; random numbers are a function of their number.

use "../common/philox.pat";

// From a point to any point of the largest circle round it that fits, until the rim is near.
fn temperature(x: f32, y: f32, walk: u64) -> f32 {
	var u = x;
	var v = y;
	var room = 1 - sqrt(u * u + v * v);
	var step: u64 = 0;
	while room > 1e-3 at most 1000 {
		let turn = 6.2831853 * unit_f32(random_words(step, walk).a);
		u += room * cos(turn);
		v += room * sin(turn);
		room = 1 - sqrt(u * u + v * v);
		step += 1;
	}
	return v > 0 ? 1 : 0;
}

kernel walk_on_spheres(x: f32[n], y: f32[n], size walks: i64, out t: f32[n]) {
	require walks >= 1;
	reduce t[i] = sum[k in 0..walks](temperature(x[i], y[i], u64(i * walks + k))) / f32(walks);
}

test half_a_rim {
	walk_on_spheres(x = [0, 0, 0.5], y = [0, 0.5, -0.25], walks = 4000)
		-> t = [0.5, 0.7952, 0.3000] within 3e-2;
}
