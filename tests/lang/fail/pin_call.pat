kernel g(x: f32[n], out y: f32[n]) { map y[i] = 2 * x[i]; }
kernel h(x: f32[n], out y: f32[n]) { twice: map y[i] = 2 * x[i]; }
kernel f(x: f32[n], out y: f32[n], out z: f32[n]) { step: g(x, y); next: h(x, z); }
schedule f for cuda { step: coarsen 4; next: coarsen 4; }
