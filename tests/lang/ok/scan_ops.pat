// Operators of the user's, most of which do not commute: the order of the terms is that of the array, from both
// ends and with what comes before.
struct Line { a, b: i32 }                // x -> a x + b
struct Mat { a, b, c, d: u32 }
struct Best { value: f32, at: i64 }
struct Three { x, y, z: f64 }
op after(f: Line, g: Line) -> Line = Line(f.a * g.a, f.b * g.a + g.b) identity Line(1, 0), associative;
op times(p: Mat, q: Mat) -> Mat = Mat(p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d, p.c * q.a + p.d * q.c,
	p.c * q.b + p.d * q.d) identity Mat(1, 0, 0, 1), associative;
fn later(p: Best, q: Best) -> bool = p.at < 0 || (q.at >= 0 && q.value > p.value);
op best(p: Best, q: Best) -> Best = Best(later(p, q) ? q.value : p.value, later(p, q) ? q.at : p.at)
	assume identity Best(-inf, -1), assume associative;
// tables of transitions: where each of four states goes, in two bits each
fn next(table: u8, state: u8) -> u8 = table >> (2 * state) & 3;
op then(f: u8, g: u8) -> u8 = u8(next(g, f & 3) | next(g, f >> 2 & 3) << 2 | next(g, f >> 4 & 3) << 4 | next(g, f >> 6) << 6)
	identity 0xe4, associative;
op left(a: i32, b: i32) -> i32 = a != 0 ? a : b identity 0, associative;
op right(a: f32, b: f32) -> f32 = b associative;
op apart(a: Three, b: Three) -> Three = Three(a.x + b.x, min(a.y, b.y), max(a.z, b.z))
	identity Three(0, inf, -inf), associative, commutative;
op lse(a: f64, b: f64) -> f64 = a == b ? a + 0.6931471805599453 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;

kernel lines(x: Line[n], out p: Line[n], out q: Line[n])
{
	scan p[i] = after(x[i]), q[i] = after(Line(x[i].b, x[i].a));
	scan q[i] = after(q[i]) from right exclusive from Line(3, 5);
}
kernel lines_back(x: Line[n], y: Line[n], out p: Line[n])
{
	scan p[i] = after(x[i]) from right from Line(y[0].a, 7);
}
kernel matrices(x: Mat[n], out p: Mat[n], out q: Mat[n])
{
	scan p[i] = times(x[i]) exclusive;
	scan q[i] = times[i where x[i].a % 2 == 0](x[i]) from right;
}
kernel bests(x: f32[n], out p: Best[n], out q: Best[n])
{
	scan p[i] = best(Best(x[i], i));
	scan q[i] = best[i where i % 5 != 3](Best(abs(x[i]), i)) from right exclusive;
}
kernel automaton(x: u8[n], out p: u8[n], out q: u8[n])
{
	scan p[i] = then(x[i]);
	scan q[i] = then(x[i]) from right;
}
kernel quotes(text: u8[n], out inside: bool[n], out field: i64[n])
{
	let s: u8[n];
	map s[i] = text[i] % 7 == 0 ? 0xe1 : text[i] % 7 == 2 ? 0xb1 : 0xe4;
	scan s[i] = then(s[i]);
	map inside[i] = next(s[i], 0) == 1;
	scan field[i] = count(next(s[i], 0) == 1 && text[i] % 7 == 0) exclusive;
}
kernel sides(x: i32[n], z: f32[n], out a: i32[n], out b: i32[n], out c: f32[n], out d: f32[n])
{
	scan a[i] = left(x[i] % 4 == 0 ? x[i] : 0);
	scan b[i] = left(x[i] % 3 == 0 ? x[i] : 0) from right exclusive from 99;
	scan c[i] = right(z[i]) from right;
	scan d[i] = right(z[i]) exclusive from 0.5;
}
kernel threes(x: Three[n], out p: Three[n], out q: f64[n])
{
	scan p[i] = apart(x[i]) exclusive;
	scan q[i] = lse(x[i].x) from right;
}
op minus(a: f32, b: f32) -> f32 = a - b;
kernel in_order(x: f32[n], out p: f32[n], out q: f32[n], out r: f64[n])
{
	scan p[i] = minus(x[i]) strict;
	scan q[i] = sum(x[i] * x[i]) from right exclusive strict;
	scan r[i] = lse(f64(x[i])) strict;
}
