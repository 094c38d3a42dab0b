// moves.pat - data on the move: what bench measures of transposes and histograms.
struct Atom { x, y, z: f32 }
kernel transpose_f32(a: f32[n, m], out b: f32[m, n]) {
	transpose b[j, i] = a[i, j];
}
kernel transpose_f64(a: f64[n, m], out b: f64[m, n]) {
	transpose b[j, i] = a[i, j];
}
kernel transpose_u16(a: u16[n, m], out b: u16[m, n]) {
	transpose b[j, i] = a[i, j];
}
kernel transpose_u8(a: u8[n, m], out b: u8[m, n]) {
	transpose b[j, i] = a[i, j];
}
kernel transpose_scaled(a: f32[n, m], inout b: f32[m, n], s: f32) {
	transpose b[j, i] += s * a[i, j];
}
kernel transpose_atoms(a: Atom[n, m], out b: Atom[m, n]) {
	transpose b[j, i] = a[i, j];
}
kernel axes_021(a: f32[n, m, l], out b: f32[n, l, m]) {
	transpose b[i, k, j] = a[i, j, k];
}
kernel axes_102(a: f32[n, m, l], out b: f32[m, n, l]) {
	transpose b[j, i, k] = a[i, j, k];
}
kernel axes_120(a: f32[n, m, l], out b: f32[m, l, n]) {
	transpose b[j, k, i] = a[i, j, k];
}
kernel axes_201(a: f32[n, m, l], out b: f32[l, n, m]) {
	transpose b[k, i, j] = a[i, j, k];
}
kernel axes_210(a: f32[n, m, l], out b: f32[l, m, n]) {
	transpose b[k, j, i] = a[i, j, k];
}
kernel histogram_u8(x: u8[n], inout h: i32[256]) {
	histogram h[x[i]] += 1;
}
kernel histogram_f32(x: f32[n], inout h: i32[m], scale: f32) {
	histogram h[i32((x[i] + 0.5) * scale)] += 1 drop;
}
