struct V { x, y: f32 }
kernel a(x: f32[n] layout soa, out y: f32[n] layout diagonal) { map y[i] = x[i]; }
kernel b(x: f32[n] layout row(ld), out y: f32[n, m] layout col(n - 1)) { map y[i, j] = x[i]; }
kernel c(x: f32[n, m] layout row(3 * ld), out y: f32[n, m] layout row(n * m)) { map y[i, j] = x[i, j]; }
kernel d(x: V[n] layout aosoa(0), y: V[n] layout aosoa(n), z: V[n] layout aosoa(1, 2), out w: f32[n]) { map w[i] = x[i].x; }
kernel e(s: f32 layout row, x: f32[n] layout, y: f32[n, m] layout row col, z: V[n] layout soa aos, out w: f32[n]) { map w[i] = x[i]; }
kernel g(x: f32[4, 8] layout row(7), y: f32[n, m] layout row(), out z: f32[n, m] layout col(n, m)) { map z[i, j] = 1; }
kernel h(x: V[n] layout soa, x_y: f32[n], out w: f32[n]) { map w[i] = x[i].x; }
kernel i(inout x: V[n] layout soa, inout y: V[n]) { swap x, y; }
kernel j(x: V[n] layout aosoa, out w: f32[n]) { map w[i] = x[i].x; }
kernel k(x: f32[n, m] layout row(m).x, out w: f32[n]) { map w[i] = 1; }
