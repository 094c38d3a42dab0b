// syntax.pat - the corners of the grammar: what may be written, whether or not it means anything.
use "patterns.pat";
struct One { x: f32 }
struct Many { a, b: f32[3, 3], c: One, d: bool }
const TABLE: i32[2, 2] = [[1, -2], [0x1f32, 0xFFu8]];
const N: f64 = 1.5e-3f64 + 2E10 + 0.5e+1 + 7u8 + 0 + inf - nan;

fn empty() -> f32 = 0;
fn branches(x: f32, n: i32) -> f32 {
	let a = x; let b: f32 = a;
	var c = b; var d: f32; var e: f32 = 1;
	if c > d { } else if c < d { e = 1; } else if c == d { e -= 1; } else { e max= 2; }
	while true { break; continue; }
	for k in 0..n { table[k] += 1; s.f[k].g *= 2; }
	return e;
}
op with_body(a: f32, b: f32) -> f32 { return a + b; } identity 0, associative, commutative,
	distributes over plus, assume associative;
op claims_of_some(a: S, b: S) -> S = a assume identity S(0), associative, distributes over lse for v where v.x > 0 || f(v) < 1;
op no_claim(a: f32, b: f32) -> f32 = a;
extern fn nothing(x: f64) -> f64;

kernel nothing() { }
kernel layouts(a: f32[n, m] layout row(ld), out b: f32[m + 1, 2 * n] layout col,
	inout c: Many[n] layout aosoa(4), out s: f32)
{
	let t: f32[n, m] layout col(ld);
	let u: f64 = 0.5;
	label: map b[i, j] = 0;
	// precedence, tightest first
	map b[i, j] = -a * b + c << d & e ^ f | g ○ h ◇ k < l && m || n ? o : p ? q : r;
	map b[i, j] = a - b - c / d / e % f;
	map b[i, j] = !a && ~b == -c;
	map b[i, j] = a <.> b <> c;
	map b[i, j] = a<b;
	map b[i, j] = (a < b) == (c < d);
	map b[i, j] = a ? b ? c : d : e;
	map b[i, j] = i32.max - u8.min + x.y.z[1, 2].w;
	map b[i, j] = f() + g(1, 2) + sum[k](x) + sum[k in 0..n, l where k != l](x, y);
	// calls
	layouts(a, b[0], 2 * n + 1);
	label2: nothing(x);
	// assignments
	map a += 1, b -= 1, c *= 1, d /= 1, e %= 1, f &= 1, g |= 1, h ^= 1, k max= 1, l lse= 1;
	reduce m, at = argmax[i](x[i]), lo = min[i](x[i]);
	// words: names may be those of clauses, and most things may stand in parentheses
	map y[i] = x[i] stable from stable boundary (wrap, clamp) within (2 * rc) of pos by < by > drop -1 -x[i] -(a + b) "text" true;
	map y[i] = x[i] first k, second, 3, "four";
	map y[i] = x[i] from v where c > 0 exclusive else z trusted for i in 0..n, j in i..n right
		using ○ = *, ◇ = max unique;
	map y[i] = x[i] for i in row[r]..row[r + 1];
	map y[i] = x[i] for i in 0..2 where i != 1;
	sort key with val, other by less stable;
	swap a, b;
	repeat t < n { repeat until err < eps at most 1000 { swap a, b; } }
	repeat t < 2 * n { }
}
schedule layouts for cpu { }
schedule layouts for cuda sm_90 { tile 128 x 8, coarsen 4; label: stage registers; time -1; }
