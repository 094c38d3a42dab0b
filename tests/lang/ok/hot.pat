// hot.pat - a sample finds which of many cells most items go to: few, many side by side, none; all others meet in memory.
op least(a: i16, b: i16) -> i16 = min(a, b) identity 32767, associative, commutative;
kernel found(k: i32[n], x: f32[n], a: u8[n, m], inout f: f32[20000], inout g: i64[20000], inout t: i16[p], inout u: u64[p]) {
	narrow: scatter f[k[i] + 12000] += x[i];
	wide: histogram g[60 * i64(a[i, j]) + 4000] += 1;
	small: histogram t[k[i]] least= i16(i % 1000) drop where x[i] > 0;
	wrong: scatter u[i % 3 + k[i]] ^= u64(i);
}
kernel none(a: u8[n, m], inout y: f64[65536]) {
	scatter y[256 * i64(a[i, j]) + (i + j) % 256] += 1 for i in 1..n, j in 2..m;
}
schedule found for cuda { privatise hot; }
schedule found for hip { privatise hot; }
schedule none for cuda { privatise hot; }
schedule none for hip { privatise hot; }
