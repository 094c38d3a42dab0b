// Sequences cut by heads, by keys of every kind, and by a length: with every other clause.
struct Key { a: u8, b: f32 }
op first(a: i32, b: i32) -> i32 = a != 0 ? a : b identity 0, associative;

kernel heads_bool(x: i32[n], h: bool[n], out p: i32[n], out q: i32[n], out r: i64[n])
{
	scan p[i] = sum(x[i]) heads h exclusive;
	scan q[i] = first(x[i] % 5) heads h from right;
	scan r[i] = count(x[i] > 0) heads h from right exclusive from 7;
}
kernel heads_i8(x: i32[n], h: i8[n], out p: i32[n], out q: i32[n], out r: i64[n])
{
	scan p[i] = sum(x[i]) heads h ;
	scan q[i] = first(x[i] % 5) heads h from right;
	scan r[i] = count(x[i] > 0) heads h from right exclusive from 7;
}
kernel heads_u16(x: i32[n], h: u16[n], out p: i32[n], out q: i32[n], out r: i64[n])
{
	scan p[i] = sum(x[i]) heads h from 5;
	scan q[i] = first(x[i] % 5) heads h from right;
	scan r[i] = count(x[i] > 0) heads h from right exclusive from 7;
}
kernel heads_i32(x: i32[n], h: i32[n], out p: i32[n], out q: i32[n], out r: i64[n])
{
	scan p[i] = sum(x[i]) heads h exclusive from -5;
	scan q[i] = first(x[i] % 5) heads h from right;
	scan r[i] = count(x[i] > 0) heads h from right exclusive from 7;
}
kernel heads_u64(x: i32[n], h: u64[n], out p: i32[n], out q: i32[n], out r: i64[n])
{
	scan p[i] = sum(x[i]) heads h ;
	scan q[i] = first(x[i] % 5) heads h from right;
	scan r[i] = count(x[i] > 0) heads h from right exclusive from 7;
}
kernel keys_bool(x: f32[n], k: bool[n], out p: f32[n], out q: f32[n], out r: f32[n])
{
	scan p[i] = sum(x[i]) keys k;
	scan q[i] = prod(x[i]) keys k exclusive from right;
	scan r[i] = min(x[i]) keys k from right from 0.5;
}
kernel keys_i8(x: f32[n], k: i8[n], out p: f32[n], out q: f32[n], out r: f32[n])
{
	scan p[i] = sum(x[i]) keys k;
	scan q[i] = prod(x[i]) keys k exclusive from right;
	scan r[i] = min(x[i]) keys k from right from 0.5;
}
kernel keys_u16(x: f32[n], k: u16[n], out p: f32[n], out q: f32[n], out r: f32[n])
{
	scan p[i] = sum(x[i]) keys k;
	scan q[i] = prod(x[i]) keys k exclusive from right;
	scan r[i] = min(x[i]) keys k from right from 0.5;
}
kernel keys_i64(x: f32[n], k: i64[n], out p: f32[n], out q: f32[n], out r: f32[n])
{
	scan p[i] = sum(x[i]) keys k;
	scan q[i] = prod(x[i]) keys k exclusive from right;
	scan r[i] = min(x[i]) keys k from right from 0.5;
}
kernel keys_f16(x: f32[n], k: f16[n], out p: f32[n], out q: f32[n], out r: f32[n])
{
	scan p[i] = sum(x[i]) keys k;
	scan q[i] = prod(x[i]) keys k exclusive from right;
	scan r[i] = min(x[i]) keys k from right from 0.5;
}
kernel keys_bf16(x: f32[n], k: bf16[n], out p: f32[n], out q: f32[n], out r: f32[n])
{
	scan p[i] = sum(x[i]) keys k;
	scan q[i] = prod(x[i]) keys k exclusive from right;
	scan r[i] = min(x[i]) keys k from right from 0.5;
}
kernel keys_f32(x: f32[n], k: f32[n], out p: f32[n], out q: f32[n], out r: f32[n])
{
	scan p[i] = sum(x[i]) keys k;
	scan q[i] = prod(x[i]) keys k exclusive from right;
	scan r[i] = min(x[i]) keys k from right from 0.5;
}
kernel keys_f64(x: f32[n], k: f64[n], out p: f32[n], out q: f32[n], out r: f32[n])
{
	scan p[i] = sum(x[i]) keys k;
	scan q[i] = prod(x[i]) keys k exclusive from right;
	scan r[i] = min(x[i]) keys k from right from 0.5;
}
kernel keys_Key(x: f32[n], k: Key[n], out p: f32[n], out q: f32[n], out r: f32[n])
{
	scan p[i] = sum(x[i]) keys k;
	scan q[i] = prod(x[i]) keys k exclusive from right;
	scan r[i] = min(x[i]) keys k from right from 0.5;
}
kernel lengths(x: f32[n], c: i32, d: i64, out p: f32[n], out q: f32[n], out r: i64[n])
{
	scan p[i] = sum(x[i]) of c;
	scan q[i] = max(x[i]) of (d + 1) from right exclusive;
	scan r[i] = argmax(x[i]) of 37 from right;
}
kernel masked(x: f32[n], h: bool[n], out q: f32[n], out r: i64[n])
{
	scan q[i] = h[i] ? sum(x[i]) : max(x[i]) heads h;
	scan r[i] = argmax[i where i % 3 != 1](x[i]) heads h;
}
// Cells of a temporary that no segment of a wrong length covers are 0.
kernel parts(x: i32[n], c: i32, out p: i32[n])
{
	let u: i32[n];
	scan u[i] = 2 * u[i-1] + x[i] of c;
	stencil p[i] = u[i+1] - u[i] boundary wrap;
}
