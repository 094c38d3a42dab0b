extern fn a(x: f32) -> f32;
extern fn b(x: f32) -> f32 from special;
extern fn c(x: f32) -> f32 from "a.h" "b.h";
extern fn d(x: f32) -> f32 from "";
extern fn e(x: f32) -> f32 from "a\b.h";
extern fn f(x: f32) -> f32 from "what?.h";
extern fn h(x: f32) -> f32 inside "a.h";
extern fn k(x: f32) -> f32 from "a	b.h";
