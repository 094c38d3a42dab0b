// Sequences cut by offsets of every integer type: with every other clause, along both axes, in recurrences.
struct Pair { x, y: f32 }
op first(a: i32, b: i32) -> i32 = a != 0 ? a : b identity 0, associative;
op better(a: Pair, b: Pair) -> Pair = a.x > b.x || (a.x == b.x && a.y >= b.y) ? a : b associative;

kernel offsets_i8(x: f32[n], off: i8[s], inout p: f32[n], inout q: f32[n])
{
	scan p[i] = sum(x[i]) segments off;
	scan q[i] = max(x[i]) segments off exclusive;
}
kernel offsets_i16(x: f32[n], off: i16[s], inout p: f32[n], inout q: f32[n])
{
	scan p[i] = sum(x[i]) segments off;
	scan q[i] = max(x[i]) segments off from right;
}
kernel offsets_i32(x: f32[n], off: i32[s], inout p: f32[n], inout q: f32[n])
{
	scan p[i] = sum(x[i]) segments off;
	scan q[i] = max(x[i]) segments off from 1;
}
kernel offsets_i64(x: f32[n], off: i64[s], inout p: f32[n], inout q: f32[n])
{
	scan p[i] = sum(x[i]) segments off;
	scan q[i] = max(x[i]) segments off from right exclusive;
}
kernel offsets_u8(x: f32[n], off: u8[s], inout p: f32[n], inout q: f32[n])
{
	scan p[i] = sum(x[i]) segments off;
	scan q[i] = max(x[i]) segments off exclusive from 0.25;
}
kernel offsets_u16(x: f32[n], off: u16[s], inout p: f32[n], inout q: f32[n])
{
	scan p[i] = sum(x[i]) segments off;
	scan q[i] = max(x[i]) segments off from right from 0.5;
}
kernel offsets_u32(x: f32[n], off: u32[s], inout p: f32[n], inout q: f32[n])
{
	scan p[i] = sum(x[i]) segments off;
	scan q[i] = max(x[i]) segments off ;
}
kernel offsets_u64(x: f32[n], off: u64[s], inout p: f32[n], inout q: f32[n])
{
	scan p[i] = sum(x[i]) segments off;
	scan q[i] = max(x[i]) segments off from right exclusive from -1;
}
kernel ranges(x: i32[n], y: f64[n], from_: i32[s+1], out len: i64[s], inout a: i32[n], inout b: f64[n], inout at: i64[n])
{
	stencil len[r] = from_[r + 1] - from_[r];
	scan a[i] = first(x[i] % 3 == 0 ? x[i] : 0) segments from_ from right;
	scan b[i] = sum(y[i]) + 2 * prod(y[i]) segments from_ exclusive;
	scan at[i] = argmin(y[i]) segments from_;
}
kernel best_of(x: Pair[n], off: u32[s], inout p: Pair[n], inout q: Pair[n])
{
	scan p[i] = better(x[i]) segments off;
	scan q[i] = better(x[i]) segments off from right;
}
kernel masked(x: f32[n], off: i32[s], inout p: f32[n])
{
	scan p[i] = sum[i where x[i] > 0](x[i]) segments off;
}
kernel batched(x: f32[m, n], off: i32[s], inout a: f32[m, n], inout b: f32[m, n])
{
	scan a[i, j] = sum[j](x[i, j]) segments off;
	scan b[i, j] = max[j](x[i, j]) segments off exclusive from right;
}
kernel recur(x: f32[n], b: f32[n], off: i32[s], inout y: f32[n], inout z: f32[n], inout u: f32[n])
{
	scan y[i] = b[i] * y[i-1] + x[i] segments off;
	scan z[i] = 0.5 * z[i+1] + x[i] segments off from 2;
	scan u[i] = 0.5 * u[i-1] - 0.25 * u[i-2] + x[i] segments off;
}
// What lies in no segment keeps the caller's value, in temporaries 0; neither is left out where all cells are copied.
kernel gaps(x: i32[n], off: i32[s], out p: i32[n], out q: i32[n])
{
	let t: i32[n];
	scan p[i] = sum(x[i]) segments off;
	scan t[i] = max(x[i]) segments off from right;
	stencil q[i] = t[i-1] + t[i] boundary 7;
}
