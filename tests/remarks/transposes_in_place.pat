// patc --target=cuda
// Squares in place: pairs of tiles, pairs of cells, and what is not computed inside them.
struct Wide { v: f64[16] }
struct Atom { x, y, z: f32 }
kernel squares(inout a: f32[n, n], inout b: Atom[n, n], inout c: u8[n, n, 3], x: f32[n, n], inout d: f32[n, n]) {
	let t: f32[n, n];
	whole: transpose a[j, i] = a[i, j];
	atoms: transpose b[j, i] = b[i, j];
	pixels: transpose c[j, i, k] = c[i, j, k];
	before: map t[i, j] = x[i, j] + 1;
	added: transpose d[j, i] = d[i, j] + t[j, i];
}
kernel others(inout a: f32[n, m], inout b: f32[64, 96], inout c: Wide[64, 96]) {
	any: transpose a[j, i] = a[i, j];
	few: transpose b[j, i] = b[i, j];
	many: transpose c[j, i] = c[i, j];
}
