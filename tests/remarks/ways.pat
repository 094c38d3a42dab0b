// patc --target=cuda --arch=sm_90
// The ways of patterns that the other programs do not take.
kernel scans(x: f32[n, m], out y: f32[n, m]) {
	serial: scan y[i, j] = y[i, j - 1] * x[i, j] + 1 strict;
}
kernel sorts(inout x: f32[5000], inout a: u32[n, 8], inout b: u32[n, 512], inout c: u32[n, 65536], inout d: u32[100000000]) {
	sort x;
	segsort a;
	segsort b;
	segsort c;
	sort d;
}
kernel planes(x: f32[s, n, m], out y: f32[s, m, n]) {
	transpose y[q, j, i] = x[q, i, j];
}
kernel products(x: f32[n, l], w: f32[l, m], out y: f32[n, m], out z: f32[n, m]) {
	wide: matmul y[i, j] = sum[k](x[i, k] * w[k, j]);
}
schedule products for cuda { wide: tile 64 x 128; }
struct Place { key: f32, at: i32 }
op largest(p: Place, q: Place) -> Place = p.key > q.key || p.key == q.key && p.at > q.at ? p : q associative, commutative;
kernel words(k: i32[n], x: Place[n], inout y: Place[m]) {
	scatter y[k[i]] largest= x[i];
}
