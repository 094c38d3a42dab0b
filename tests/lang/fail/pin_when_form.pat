kernel f(x: f32[n], out y: f32[n]) { a: map y[i] = 2 * x[i]; }
schedule f for cuda { a: vector 1 when; when n < 4; }
schedule f for cuda { a: vector 1 where n < 4; }
schedule f for cuda { a: vector 1 if n < 4; }
schedule f for cuda { a: vector 1 else; }
schedule f for cuda { a: vector 1 when n < 4, coarsen 2; }
schedule f for cuda { a: vector 1 when n = 4; }
schedule f for cuda when n < 4 { a: vector 1; }
