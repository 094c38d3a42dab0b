// compact.pat - what a condition keeps, in one pass: reads n cells, writes k.
kernel keep_u32(x: u32[n], limit: u32, out y: u32[n], out k: i64)
{
	compact y, k = x[i] where x[i] < limit;
}

kernel keep_any_u32(x: u32[n], limit: u32, out y: u32[n], out k: i64)
{
	compact y, k = x[i] where x[i] < limit unordered;
}

kernel keep_f32(x: f32[n], limit: f32, out y: f32[n], out k: i64)
{
	compact y, k = x[i] where x[i] < limit;
}

kernel keep_u8(x: u8[n], limit: u8, out y: u8[n], out k: i64)
{
	compact y, k = x[i] where x[i] < limit;
}

kernel keep_f64(x: f64[n], limit: f64, out y: f64[n], out k: i64)
{
	compact y, k = x[i] where x[i] < limit;
}

kernel part_u32(x: u32[n], limit: u32, out y: u32[n], out z: u32[n], out k: i64)
{
	compact y, k = x[i] where x[i] < limit else z;
}

// Three arrays moved together; the places of what is kept.
kernel keep_three(x: f32[n], v: f32[n], w: f32[n], limit: f32, out a: f32[n], out b: f32[n],
	out c: f32[n], out k: i64)
{
	compact a, k = x[i], b = v[i], c = w[i] where x[i] < limit;
}

kernel places(x: f32[n], limit: f32, out at: i64[n], out k: i64)
{
	compact at, k = i where x[i] < limit;
}

struct Point { x, y, z, w: f32 }
kernel keep_points(p: Point[n], limit: f32, out q: Point[n], out k: i64)
{
	compact q, k = p[i] where p[i].x * p[i].x + p[i].y * p[i].y < limit;
}
