struct V { x, y: f32 }
kernel a(x: V[n] layout soa(4), out w: f32[n]) { map w[i] = x[i].x; }
