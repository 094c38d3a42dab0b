fn f(x: f32) = x;
fn g(x) -> f32 = x;
fn h(x: f32) -> f32 x;
fn (x: f32) -> f32 = x;
fn k(x: f32,) -> f32 = x;
