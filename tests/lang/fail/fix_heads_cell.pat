kernel f(x: f32[n], h: bool[n], k: i32[n], out y: f32[n], out z: f32[n]) { scan y[i] = sum(x[i]) heads h[i]; scan z[j] = sum(x[j]) keys k[j] exclusive; }
