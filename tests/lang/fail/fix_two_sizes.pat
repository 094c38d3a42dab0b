kernel f(out y: f32[n], out z: f32[m]) { a: map y[i] = 1, z[i] = 2; }
