op f(a: f32, b: f32) -> f32 = a + b associative commutative;
op g(a: f32, b: f32) -> f32 = a + b, associative;
op h(a: f32, b: f32) -> f32 { return a; }
