extern fn scale(x: f32) -> f32 from "a.h";
extern fn f_host(x: f32) -> f32 from "a.h";
extern fn fn_add(x: f32) -> f32 from "a.h";
fn add(x: f32) -> f32 = x + 1;
kernel scale(inout y: f32[n]) { map y[i] = scale(y[i]); }
kernel f(inout y: f32[n]) { map y[i] = f_host(y[i]) + fn_add(y[i]) + add(y[i]); }
