struct S { x, y: f32 }
kernel apart(p: f32[m, n], inout a: S[m, n] layout soa) { wavefront a[i, j] = S(p[i, j], a[i-1, j].x) boundary S(0, 0); }
