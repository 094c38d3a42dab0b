struct V { x, y: f32 }
kernel a(x: f32[n] layout tiled(8, 8), y: f32[n, m] layout tiled, z: f32[n, m] layout tiled(8), out w: f32[n]) { map w[i] = x[i]; }
kernel b(x: f32[n, m] layout tiled(0, 8), y: f32[n, m] layout tiled(8, 1025), z: f32[n, m] layout tiled(8, n), out w: f32[n]) { map w[i] = 1; }
kernel c(x: f32[n, m] layout tiled(8, 8) col, y: V[n, m] layout tiled(8, 8) soa, z: V[n, m] layout aosoa(4) tiled(8, 8), out w: f32[n]) { map w[i] = 1; }
kernel d(inout x: f32[n, m] layout tiled(8, 8), inout y: f32[n, m] layout tiled(8, 4)) { swap x, y; }
kernel e(s: f32 layout tiled(8, 8), inout x: f32[n, m] layout tiled(4, 4), inout y: f32[n, m]) { swap x, y; }
