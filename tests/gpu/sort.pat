// sort.pat - the kernels sort.cu runs: arrays and segments of up to billions of cells.
kernel order(inout key: u32[n], inout place: u32[n])
{
	sort key with place;
}

kernel order_stable(inout key: u32[n], inout place: u32[n])
{
	sort key with place stable;
}

kernel order_floats(inout key: f32[n], inout place: u32[n])
{
	sort key with place by > stable;
}

kernel cut(inout key: u32[n], inout place: u32[n], off: i64[s])
{
	segsort key with place segments off;
}

kernel cut_stable(inout key: u32[n], inout place: u32[n], off: i64[s])
{
	segsort key with place segments off stable;
}

kernel cut_floats(inout key: f32[n], inout place: u32[n], off: i64[s])
{
	segsort key with place segments off by > stable;
}

kernel cut_every(inout key: u32[n], inout place: u32[n], length: i64)
{
	segsort key with place segments of length;
}
