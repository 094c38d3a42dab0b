// variance.pat - the mean and the variance of an array in one pass (Futhark's examples; the
// formula is that of Chan, Golub and LeVeque 1979).  Patterns: reduce with an operator.
struct Part { count, mean, squares: f64 }
fn joined(a: Part, b: Part, d: f64, share: f64) -> Part =
	Part(a.count + b.count, a.mean + d * share,
	a.squares + b.squares + d * d * a.count * share);
op join(a: Part, b: Part) -> Part = a.count == 0 ? b : b.count == 0 ? a
	: joined(a, b, b.mean - a.mean, b.count / (a.count + b.count))
	identity Part(0, 0, 0), associative, commutative
	for v where v.count >= 1 && v.squares >= 0
		|| v.count == 0 && v.mean == 0 && v.squares == 0;

kernel variance(x: f32[n], out mean: f64, out spread: f64) {
	let whole: Part;
	reduce whole = join[i](Part(1, f64(x[i]), 0));
	map mean = whole.mean, spread = n > 0 ? whole.squares / f64(n) : 0;
}

test known {
	variance(x = [2, 4, 4, 4, 5, 5, 7, 9]) -> mean = 5, spread = 4;
	variance(x = [100001, 100002, 100003]) -> mean = 100002, spread = 0.6666666666666666
		within 1e-9;
	variance(n = 0) -> mean = 0, spread = 0;
}
