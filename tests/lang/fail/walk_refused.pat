const c: i64 = 3;
extern fn far(x: f32[n]) -> f32 from "a.h";
op both(x: f32[n], y: f32) -> f32 = x[0] + y;
fn last(x: f32[c, n + 1]) -> f32 = x[c, 0] + x[0, -1];
fn first(x: f32[n]) -> f32 { n = 3; return x[0]; }
fn held(x: f32[n]) -> f32 { var y: f32[4]; return first(y) + x[0]; }
fn written(inout x: f32[n]) -> f32 { return x[0]; }
