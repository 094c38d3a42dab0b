struct V { x, y: f32 }
kernel a(x: f32[n] layout morton, y: f32[n, m, k, l] layout hilbert, z: f32[n, n] layout morton(4), out w: f32[n]) { map w[i] = 1; }
kernel b(x: f32[12, 12] layout morton, y: f32[8, 16] layout hilbert, z: f32[n, n+1] layout morton, out w: f32[n]) { map w[i] = 1; }
kernel c(x: f32[n, n] layout morton col, y: V[n, n] layout hilbert soa, z: V[n, n] layout aosoa(4) morton, out w: f32[n]) { map w[i] = 1; }
kernel d(inout x: f32[n, n] layout morton, inout y: f32[n, n] layout hilbert) { swap x, y; }
kernel e(s: f32 layout hilbert, inout x: f32[n, n] layout morton, inout y: f32[n, n]) { swap x, y; }
kernel f(x: f32[n, n, 6] layout hilbert, out w: f32[n]) { map w[i] = 1; }
