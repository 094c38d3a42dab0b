kernel f(x: f32[n], out p: f32[n], out q: f32[n]) { scan p[i] = sum(x[i]), q[i] = sum(p[i]); }
