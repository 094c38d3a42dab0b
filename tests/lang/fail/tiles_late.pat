kernel a(c: i32[m, n], out h: i32[m, n] layout tiled(8, 8)) { wavefront h[i, j] = max(h[i, j-1], h[i-1, j]) + c[i, j] boundary 0; }
