kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
test a { f(x = {1, 2}) -> y = [1, 2]; }
test b { f([1, 2]) -> y = [1, 2]; }
test c { f(x = [1, 2]) == [1, 2]; }
test d { assert f(x = [1, 2]) -> y = [1, 2]; }
test e { f(x = [1, 2]) -> y ~ [1, 2]; }
test g { f(x = [1, 2]) -> y = [1, 2] }
