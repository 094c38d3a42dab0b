op far(p: f32, q: f32) -> f32 = abs(p) > abs(q) ? p : q identity 0, associative for v where v[0] >= 0;
kernel scaled(x: f32[n], a: f32, out y: f32[n]) { map y[i] = a * x[i]; }
kernel sizes(size k: f32, x: f32[n], out y: f32[n], out z: f32[k]) { scalled(x, 2, y); map z[i] = 1; }
kernel layouts(s: f32 layout row, x: f32[n, m] layout col col, out y: f32[n, m]) { map y[i, j] = s * x[i, j]; }
kernel sorted(inout k: f32[n], inout v: f32[n]) { sort k[i] with v[i]; }
test file { scaled(a = 2, x = "data.bin"); }
