struct V { x, y: f32 }
struct V_x4 { x: f32 }
kernel a(p: V[n] layout aosoa(4), q: V_x4[n], out y: f32[n]) { map y[i] = p[i].x + q[i].x; }
