kernel f(x: f32[n], out y: f32[n]) { a: map y[i] = 2 * x[i]; }
schedule f for cuda { a: vector 1 when; when n < 4; }
schedule f for cuda { a: vector 1 where n < 4; }
