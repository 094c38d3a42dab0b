fn first(x: f32[n]) -> f32 { return x[0]; }
fn corner(x: f32[n, m]) -> f32 { return x[0, 0]; }
kernel f(x: f32[n], z: f32[n, n], out y: f32[n], out w: f32[n]) { gather y[i] = first(x[i]); gather w[i] = corner(z[i, i]) + first(x[0]); }
