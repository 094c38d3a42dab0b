struct Big { f: f32[65] }
struct Wide { f: f32[2, 2] }
kernel a(p: Big[n] layout aosoa(4), out q: Big[n] layout soa) { map q[i] = p[i]; }
kernel b(p: Wide[a, b, c, d, e, f, g] layout soa, out q: f32[a]) { map q[i] = 0; }
