kernel a(c: i32[n, n], out h: i32[n, n] layout morton) { wavefront h[i, j] = max(h[i, j-1], h[i-1, j]) + c[i, j] boundary 0; }
