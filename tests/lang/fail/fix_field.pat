struct P { velocity, mass: f32 }
kernel f(p: P[n], out y: f32[n]) { map y[i] = p[i].velosity * p[i].mass; }
kernel g(x: i32[n], out y: i32[n]) { map y[i] = min(x[i], i32.MAX); }
