extern f(x: f64) -> f64;
extern fn f(x: f64) -> f64 = x;
extern fn g(x: f64) -> f64 from ;
extern fn h(x: f64)
