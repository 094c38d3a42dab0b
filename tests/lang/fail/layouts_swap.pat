kernel c(inout x: f32[n, m] layout col, inout y: f32[n, m]) { let t: f32[n, m]; let u: f32[n, m]; swap x, t; swap t, u; swap u, y; }
