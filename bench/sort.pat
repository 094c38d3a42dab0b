// sort.pat - an array, and many short ones side by side; the first ones, and medians.
kernel sort_pairs(inout key: u32[n], inout value: u32[n])
{
	sort key with value;
}

kernel sort_keys(inout key: u32[n])
{
	sort key;
}

kernel segsort_pairs(inout key: u32[n], inout value: u32[n], offset: i32[s])
{
	segsort key with value segments offset trusted;
}

kernel segsort_keys(inout key: u32[n], offset: i32[s])
{
	segsort key segments offset trusted;
}

kernel segsort_pairs_of(inout key: u32[n], inout value: u32[n], length: i64)
{
	segsort key with value segments of length;
}

kernel segsort_keys_of(inout key: u32[n], length: i64)
{
	segsort key segments of length;
}

kernel first_256(key: f32[n], out at: i32[n])
{
	sort key by > first 256 into at;
}

kernel first_8_of_rows(key: f32[n, m], out at: i32[n, m])
{
	segsort key by > first 8 into at;
}

kernel first_64_of_rows(key: f32[n, m], out at: i32[n, m])
{
	segsort key by > first 64 into at;
}

kernel first_256_of_rows(key: f32[n, m], out at: i32[n, m])
{
	segsort key by > first 256 into at;
}

kernel first_8_of_segments(key: f32[n], offset: i32[s], out at: i32[n])
{
	segsort key segments offset trusted by > first 8 into at;
}

kernel nearest_8_of_rows(x: f32[n, m], y: f32[n], out at: i32[n, m])
{
	let d: f32[n, m];
	map d[i, j] = abs(x[i, j] - y[i]);
	segsort d first 8 into at;
}

kernel median_f32(x: f32[n], out v: f32)
{
	reduce v = kth[i](x[i], (n - 1) / 2);
}

kernel median_of_rows(x: f32[n, m], out v: f32[n])
{
	reduce v[i] = kth[j](x[i, j], (m - 1) / 2);
}
