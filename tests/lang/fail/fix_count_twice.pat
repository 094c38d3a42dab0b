kernel f(x: f32[n], z: f32[n], out y: f32[n], out w: f32[n], out k: i64) { compact y, k = x[i], w, k = z[i] where x[i] > 0; }
