kernel f(x: f32[n], out s: f32) { reduce s = max(x[i]); }
