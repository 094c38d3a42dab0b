// compact of several arrays: small tiles, so that there are many groups of them.
kernel moved(x: f64[n], out a: f64[k], out b: i64[k], out c: f64[k], out d: i64[k], out total: i64)
{
	compact a, total = x[i], b = i, c = 2 * x[i], d = i + 1 where x[i] > 0;
}

test groups_of_tiles {
	moved(n = 150001, k = 100000, x = random);
}
