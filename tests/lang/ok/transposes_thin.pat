// transposes_thin.pat - transposes with a side shorter than a tile: whole short rows, on either side, of every width.
struct Atom { x, y, z: f32 }
kernel pixels(a: u8[n, m, 3], out p: u8[3, n, m], inout q: u8[n, m, 3]) {
	transpose p[c, y, x] = a[y, x, c];
	transpose q[y, x, c] = q[y, x, c] ^ p[c, y, x];
}
kernel bytes(a: i8[4104, 3], out b: i8[3, 4104], c: u8[40, 600], out d: u8[600, 40], e: bool[16, 1048], out f: bool[1048, 16]) {
	transpose b[j, i] = a[i, j];
	transpose d[j, i] = c[i, j];
	transpose f[j, i] = e[i, j];
}
kernel words(a: f32[1026, 5], out b: f32[5, 1026], c: f16[24, 408], out d: f16[408, 24], e: f64[7, 301], out f: f64[301, 7], s: f32) {
	transpose b[j, i] = s * a[i, j] - f32(i - 2 * j);
	transpose d[j, i] = c[i, j] + f16(i);
	transpose f[j, i] = e[i, j];
}
kernel several(a: f64[n, 6], b: f32[n, 6], inout c: f64[6, n], p: Atom[6, n], out q: Atom[n, 6]) {
	transpose c[j, i] = c[j, i] + a[i, j] - f64(b[i, j]);
	transpose q[j, i] = p[i, j];
}
kernel planes(a: u16[3, 12, 264], out b: u16[3, 264, 12], c: i32[3, 130, 2], out d: i32[3, 2, 130]) {
	transpose b[k, j, i] = a[k, i, j];
	transpose d[k, j, i] = c[k, i, j];
}
// rows that do not begin with the array, or do not lie together
kernel apart(a: u8[4, 520, 3], out b: u8[3, 520], c: f32[n, m] layout row(ld), out d: f32[m, n] layout row(le)) {
	transpose b[j, i] = a[2, i, j];
	transpose d[j, i] = c[i, j];
}
kernel sides(a: u8[n, m], out b: u8[m, n]) {
	transpose b[j, i] = a[i, j];
}
