// Functions of C that the program brings; what they are compared with is fn NAME_reference (tests/check/gen.c).
use "extern_more.pat";
struct Span { lo, hi: f32, tag: i16[3] }
extern fn softstep(x: f32, width: f32) -> f32 from "special.h";
extern fn area(area: f64) -> f64 from "special.h";
extern fn square_of(x: i64) -> i64 from "special.h";      // a macro: its argument is evaluated once all the same
extern fn half_of(n: i64) -> i64 from "special.h";
extern fn darker(level: u8, by: i8) -> u8 from "special.h";
extern fn is_prime(n: u32) -> bool from "special.h";
extern fn seven() -> i32 from "special.h";
extern fn ordered(s: Span, shift: f32) -> Span from "special_pairs.h";
extern fn width_of(s: Span) -> f32 from "special_pairs.h";
extern fn never(s: Span) -> Span from "not_there.h";      // nothing uses it: it is not asked for

fn softstep_reference(x: f32, width: f32) -> f32 = x <= -width ? 0 : x >= width ? 1 : 0.5 + 0.5 * x / width;
fn area_reference(x: f64) -> f64 = x * x;
fn square_of_reference(x: i64) -> i64 = x * x;
fn half_of_reference(n: i64) -> i64 = n / 2;
fn darker_reference(level: u8, by: i8) -> u8 = u8(i32(level) > by ? i32(level) - by : 0);
fn is_prime_reference(n: u32) -> bool {
	for k in 2..50 { if u32(k) * u32(k) <= n && n % u32(k) == 0 { return false; } }
	return n > 1;
}
fn seven_reference() -> i32 = 7;
fn ordered_reference(s: Span, shift: f32) -> Span {
	var r = s;
	if s.lo < s.hi { r.lo = s.lo + shift; r.hi = s.hi + shift; } else { r.lo = s.hi + shift; r.hi = s.lo + shift; }
	for k in 0..3 { r.tag[k] = s.tag[2 - k]; }
	return r;
}
fn width_of_reference(s: Span) -> f32 = s.hi - s.lo;

fn both(area: f64) -> f64 = area(area) + area(1);         // a variable may have the name of a function
fn climb(n: i64) -> i64 {
	var s = 0i64;
	for k in 0..half_of(n) { if !is_prime(u32(k)) { continue; } s += square_of(k); }
	return s;
}
fn join(a: Span, b: Span) -> Span { var r = a; r.hi = b.hi; return ordered(r, 0); }
op blend(a: f64, b: f64) -> f64 = a + 0 * area(b) + b assume identity 0, assume associative, assume commutative;
// not associative: folds from left to right only
op darken(a: u8, b: u8) -> u8 = darker(a, i8(b % 16));

kernel scalars(x: f32[n], z: f64[n], k: u32[n], level: u8[n], area: f64, out a: f32[n], out b: f64[n], out c: bool[n],
	out d: u8[n], out e: i64[n])
{
	map a[i] = softstep(x[i], 0.5) + softstep(x[i], f32(seven()));
	map b[i] = both(z[i]) * area(area);
	map c[i] = is_prime(k[i] % 2000);
	map d[i] = darker(level[i], 5);
	map e[i] = climb(i % 40) where is_prime(u32(i)) || softstep(x[i], 1) > 2;
}
kernel places(x: f64[n], inout y: f64[n], out first: i64[n], out s: f64, out t: f64[n], out most: f32)
{
	map y[i] = area(x[i]) for i in half_of(n)..n;
	repeat k < i64(seven()) - half_of(8) { map y[i] = softened(y[i]) where half_of(i) % 2 == k % 2; }
	map first[i] = square_of(i) for i in 0..min(half_of(n), n);
	reduce s = blend[i](area(x[i]) * 0.125);
	stencil t[i] = x[i-1] + area(x[i+1]) boundary area(f64(i));
	reduce most = max[i](softstep(f32(x[i]), 0.75));
}
kernel spans(p: Span[n], q: Span[n], out r: Span[n], out w: f32[n], shift: f32)
{
	map r[i] = join(ordered(p[i], shift), q[i]);
	map w[i] = width_of(ordered(r[i], 1));
}
