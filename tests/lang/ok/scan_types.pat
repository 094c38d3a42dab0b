// Running folds of every type: inclusive and exclusive, from both ends, several in one statement; what is
// narrower than the type of the fold goes back to it by a cast.

kernel sums_f32(x: f32[n], out p: f32[n], out q: f32[n])
{
	scan p[i] = f32(sum(x[i])), q[i] = sum(x[i]) - f32(x[i]);
}
kernel ends_f32(x: f32[n], out lo: f32[n], out hi: f32[n], out both: f32[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}
kernel places_f32(x: f32[n], out v: f32[n], out at: i64[n], out last: i64[n])
{
	scan v[i], at[i] = argmax(x[i]), last[i] = argmin(x[i]) - i;
	scan last[i] = last[i] + argmax(x[i]) from right exclusive;
}

kernel sums_f64(x: f64[n], out p: f64[n], out q: f64[n])
{
	scan p[i] = f64(sum(x[i])), q[i] = sum(x[i]) - f64(x[i]);
}
kernel ends_f64(x: f64[n], out lo: f64[n], out hi: f64[n], out both: f64[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}

kernel sums_f16(x: f16[n], out p: f16[n], out q: f32[n])
{
	scan p[i] = f16(sum(x[i])), q[i] = sum(x[i]) - f32(x[i]);
}
kernel ends_f16(x: f16[n], out lo: f16[n], out hi: f16[n], out both: f32[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}
kernel places_f16(x: f16[n], out v: f16[n], out at: i64[n], out last: i64[n])
{
	scan v[i], at[i] = argmax(x[i]), last[i] = argmin(x[i]) - i;
	scan last[i] = last[i] + argmax(x[i]) from right exclusive;
}

kernel sums_bf16(x: bf16[n], out p: bf16[n], out q: f32[n])
{
	scan p[i] = bf16(sum(x[i])), q[i] = sum(x[i]) - f32(x[i]);
}
kernel ends_bf16(x: bf16[n], out lo: bf16[n], out hi: bf16[n], out both: f32[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}

kernel sums_i8(x: i8[n], out p: i8[n], out q: i32[n])
{
	scan p[i] = i8(sum(x[i])), q[i] = sum(x[i]) - i32(x[i]);
}
kernel ends_i8(x: i8[n], out lo: i8[n], out hi: i8[n], out both: i32[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}
kernel places_i8(x: i8[n], out v: i8[n], out at: i64[n], out last: i64[n])
{
	scan v[i], at[i] = argmax(x[i]), last[i] = argmin(x[i]) - i;
	scan last[i] = last[i] + argmax(x[i]) from right exclusive;
}

kernel sums_i16(x: i16[n], out p: i16[n], out q: i32[n])
{
	scan p[i] = i16(sum(x[i])), q[i] = sum(x[i]) - i32(x[i]);
}
kernel ends_i16(x: i16[n], out lo: i16[n], out hi: i16[n], out both: i32[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}

kernel sums_i32(x: i32[n], out p: i32[n], out q: i32[n])
{
	scan p[i] = i32(sum(x[i])), q[i] = sum(x[i]) - i32(x[i]);
}
kernel ends_i32(x: i32[n], out lo: i32[n], out hi: i32[n], out both: i32[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}

kernel sums_i64(x: i64[n], out p: i64[n], out q: i64[n])
{
	scan p[i] = i64(sum(x[i])), q[i] = sum(x[i]) - i64(x[i]);
}
kernel ends_i64(x: i64[n], out lo: i64[n], out hi: i64[n], out both: i64[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}

kernel sums_u8(x: u8[n], out p: u8[n], out q: i32[n])
{
	scan p[i] = u8(sum(x[i])), q[i] = sum(x[i]) - i32(x[i]);
}
kernel ends_u8(x: u8[n], out lo: u8[n], out hi: u8[n], out both: i32[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}

kernel sums_u16(x: u16[n], out p: u16[n], out q: i32[n])
{
	scan p[i] = u16(sum(x[i])), q[i] = sum(x[i]) - i32(x[i]);
}
kernel ends_u16(x: u16[n], out lo: u16[n], out hi: u16[n], out both: i32[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}

kernel sums_u32(x: u32[n], out p: u32[n], out q: u32[n])
{
	scan p[i] = u32(sum(x[i])), q[i] = sum(x[i]) - u32(x[i]);
}
kernel ends_u32(x: u32[n], out lo: u32[n], out hi: u32[n], out both: u32[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}

kernel sums_u64(x: u64[n], out p: u64[n], out q: u64[n])
{
	scan p[i] = u64(sum(x[i])), q[i] = sum(x[i]) - u64(x[i]);
}
kernel ends_u64(x: u64[n], out lo: u64[n], out hi: u64[n], out both: u64[n])
{
	scan lo[i] = min(x[i]), hi[i] = max(x[i]), both[i] = prod[i where i % 37 < 3](x[i]) from right exclusive;
}
kernel places_u64(x: u64[n], out v: u64[n], out at: i64[n], out last: i64[n])
{
	scan v[i], at[i] = argmax(x[i]), last[i] = argmin(x[i]) - i;
	scan last[i] = last[i] + argmax(x[i]) from right exclusive;
}

kernel flags(x: bool[n], out some: bool[n], out every: bool[n], out many: i64[n])
{
	scan some[i] = any(x[i]), every[i] = all(x[i] || i % 100 == 0);
	scan many[i] = count(x[i]) + count(!x[i]) * 1000 exclusive from right;
}
op both(a: u32, b: u32) -> u32 = a & b identity 0xffffffff, associative, commutative;
op either(a: u32, b: u32) -> u32 = a | b identity 0, associative, commutative;
op differ(a: i16, b: i16) -> i16 = i16(a ^ b) identity 0, associative, commutative;
kernel bits(x: u32[n], y: i16[n], out a: u32[n], out b: u32[n], out c: i16[n])
{
	scan a[i] = both(x[i] | 0x80000001), b[i] = either(x[i] & 0x00ff00ff) exclusive from 8;
	scan c[i] = differ(y[i]) from right;
}
