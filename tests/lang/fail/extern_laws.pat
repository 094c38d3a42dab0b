extern fn e(x: f32) -> f32 from "a.h";
fn through(a: f32, b: f32) -> f32 = e(a) + b;
op plus(a: f32, b: f32) -> f32 = through(a, b) identity 0, associative;
op fine(a: f32, b: f32) -> f32 = through(a, b) assume identity 0, assume associative;
op mixed(a: f32, b: f32) -> f32 = e(a + b) commutative, assume associative;
kernel f(x: f32[n], out s: f32) { reduce s = fine[i](x[i]); }
