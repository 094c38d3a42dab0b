// what language_stmts.pat uses
struct Pair { a, b: f32 }
const TWO: f32 = 2;
fn twice(x: f32) -> f32 = TWO * x;
fn weigh(x: f32, p: Pair) -> f32 = x * p.a + p.b;
op far(a: f32, b: f32) -> f32 = abs(a) > abs(b) || b != b ? a : b identity 0, associative;   // a NaN gives way
kernel of_ops(x: f32[n], out y: f32[n], out s: f32) {
	map y[i] = twice(x[i]);
	reduce s = far[i](x[i]);
}
