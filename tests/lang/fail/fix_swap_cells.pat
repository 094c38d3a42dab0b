kernel f(inout a: f32[n, m], inout b: f32[n, m]) { swap a[i, j], b[i, j]; }
