kernel clauses(a: f32[n], out y: f32[n]) { map y[i] = a[i] where a[i] > 0 for i in 0..n where a[i] < 9; }
