// sort.pat - an array, and many short ones side by side.
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
