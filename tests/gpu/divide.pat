// divide.pat - divisions by what does not change; divide.cu tries every f32.
kernel by_118(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 118 strict; }
kernel by_3(a: f32[n], out b: f32[n]) { map b[i] = a[i] / -3 strict; }
kernel by_7(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 7 strict; }
kernel by_tenth(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 0.1 strict; }
kernel by_small(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 1e-30 strict; }
kernel by_large(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 1e10 strict; }
kernel by_larger(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 1e30 strict; }
kernel by_ones(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 16777215 strict; }
kernel by_first(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 1.17549435e-38 strict; }
kernel by_last(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 3.4028235e38 strict; }
kernel by_subnormal(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 1e-40 strict; }
// No rest makes two products right.
kernel by_stubborn(a: f32[n], out b: f32[n]) { map b[i] = a[i] / 1.05878294 strict; }
// A cell a thread, without a vector that shares a branch.
kernel one_by_118(a: f32[n], w: i32[n], out b: f32[n]) { map b[i] = w[i] != 0 ? a[i] / 118 : 0 strict; }
kernel by_scalar(d: f32, a: f32[n], out b: f32[n]) { map b[i] = a[i] / d strict; }
kernel by_118_f64(a: f64[n], out b: f64[n]) { map b[i] = a[i] / 118 strict; }
kernel by_scalar_f64(d: f64, a: f64[n], out b: f64[n]) { map b[i] = a[i] / d strict; }
