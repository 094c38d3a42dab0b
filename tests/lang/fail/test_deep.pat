kernel f(a: f32, x: f32[n], out y: f32[n]) { map y[i] = a * x[i]; }
kernel g(x: f32[n, m], out y: f32[n, m]) { map y[i, j] = 2 * x[i, j]; }
test one { f(a = 2, x = [[1, 2]]) -> y = [2, 4]; }
test two { f(a = [2], x = [1, 2]) -> y = [2, 4]; }
test three { g(x = [[[1], [2]]]) -> y = [[2, 4]]; }
test four { g(x = [1, 2]) -> y = [[2, 4]]; }
