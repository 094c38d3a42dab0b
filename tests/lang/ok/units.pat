// units.pat - products that matrix units compute: each type, operands that lie either way, aligned or not, a batch, what is in
// front and behind, terms that blocks share; tiles for the units of warps and, on sm_90a, of groups of warps.
fn gelu(x: f32) -> f32 = 0.5 * x * (1 + erf(0.70710678 * x));
kernel halves(a: f16[n, l], b: f16[l, m], inout c: f32[n, m], d: bf16[l, n], e: bf16[m, l], out f: f32[n, m]) {
	matmul c[i, j] += sum[k](a[i, k] * b[k, j]);
	matmul f[i, j] = sum[k](d[k, i] * e[j, k]);
}
kernel bytes(a: i8[n, l], b: i8[l, m], out c: i32[n, m], d: u8[n, l], e: u8[m, l], out f: i32[n, m], out g: i32[n, m]) {
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
	matmul f[i, j] = sum[k](d[i, k] * e[j, k]);
	matmul g[i, j] = sum[k](i32(a[i, k]) * i32(e[j, k]));
}
// both operands along the terms, or across them
kernel orders(a: f16[n, l], b: f16[l, n], c: f16[l, m], d: f16[m, l], out p: f32[n, m], out q: f32[n, m], out r: f32[n, m]) {
	matmul p[i, j] = sum[k](a[i, k] * d[j, k]);
	matmul q[i, j] = sum[k](b[k, i] * d[j, k]);
	matmul r[i, j] = sum[k](b[k, i] * c[k, j]);
}
kernel brain(a: bf16[n, l], b: bf16[l, n], c: bf16[l, m], d: bf16[m, l], out p: f32[n, m], out q: f32[n, m], out r: f32[n, m]) {
	matmul p[i, j] = sum[k](a[i, k] * d[j, k]);
	matmul q[i, j] = sum[k](a[i, k] * c[k, j]);
	matmul r[i, j] = sum[k](b[k, i] * c[k, j]);
}
kernel signs(a: i8[n, l], b: i8[m, l], c: u8[n, l], out p: i32[n, m], out q: i32[n, m]) {
	matmul p[i, j] = sum[k](a[i, k] * b[j, k]);
	matmul q[i, j] = sum[k](i32(c[i, k]) * i32(b[j, k]));
}
kernel mixed(a: u8[l, n], b: i8[m, l] layout row(ld), out c: i32[n, m]) {
	matmul c[i, j] = sum[k](i32(a[k, i]) * i32(b[j, k])) for i in 1..n where i != j;
}
kernel doubles(a: f64[n, l] layout row(ld), b: f64[l, m], inout c: f64[n, m], d: f64[l, n], e: f64[m, l]) {
	matmul c[i, j] -= sum[k](a[i, k] * b[k, j]);
	matmul c[i, j] += sum[k](2 * d[k, i] * e[j, k]);
}
kernel layer(x: bf16[s, n, l], w: i8[m, l], scale: f32[m], bias: f32[m], out y: bf16[s, n, m], out most: f32[s, n]) {
	let p: f32[s, n, m];
	matmul p[q, i, j] = sum[k](x[q, i, k] * bf16(w[j, k] * scale[j]));
	reduce most[q, i] = max[j](p[q, i, j]);
	map y[q, i, j] = bf16(gelu(p[q, i, j] + bias[j]));
}
kernel long(a: bf16[9, l], b: bf16[l, 7], out c: f32[9, 7]) {
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
}
// large tiles of half-precision floats that lie either way, with a rest, moved back, brought through registers
kernel large(a: bf16[130, l], b: bf16[l, 272], inout c: f32[130, 272], d: f16[l, 136], e: f16[264, l], out f: f32[136, 264]) {
	one: matmul c[i, j] += sum[k](a[i, k] * b[k, j]);
	two: matmul f[i, j] = sum[k](d[k, i] * e[j, k]);
}
// whole steps of terms, and a rest, that are copied
kernel large_steps(a: bf16[130, 200], b: bf16[200, 272], inout c: f32[130, 272], d: f16[200, 136], e: f16[264, 200], out f: f32[136, 264],
	g: i8[130, 400], h: u8[256, 400], out r: i32[130, 256]) {
	one: matmul c[i, j] += sum[k](a[i, k] * b[k, j]);
	two: matmul f[i, j] = sum[k](d[k, i] * e[j, k]);
	three: matmul r[i, j] = sum[k](i32(g[i, k]) * i32(h[j, k]));
}
kernel large_bytes(a: i8[130, l], b: u8[257, l], out c: i32[130, 257], d: u8[l, 264], out f: i32[130, 264]) {
	one: matmul c[i, j] = sum[k](i32(a[i, k]) * i32(b[j, k]));
	two: matmul f[i, j] = sum[k](i32(a[i, k]) * i32(d[k, j]));
}
kernel large_layer(x: bf16[2, 129, l], w: i8[256, l], scale: f32[256], out y: bf16[2, 129, 256], out most: f32[2, 129]) {
	let p: f32[2, 129, 256];
	one: matmul p[q, i, j] = sum[k](x[q, i, k] * bf16(w[j, k] * scale[j]));
	reduce most[q, i] = max[j](p[q, i, j]);
	map y[q, i, j] = bf16(p[q, i, j] + 1);
}
kernel large_others(a: i8[130, l], b: i8[l, 257], out c: i32[130, 257], d: f64[66, l], e: f64[l, 130], inout f: f64[66, 130]) {
	one: matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
	two: matmul f[i, j] += sum[k](d[i, k] * e[k, j]);
}
schedule large_steps for cuda sm_75 { one: tile 128 x 128; two: tile 128 x 128; three: tile 128 x 128; }
schedule large for cuda sm_75 { one: tile 128 x 128; two: tile 128 x 128; }
schedule large_bytes for cuda sm_75 { one: tile 128 x 128; two: tile 128 x 128; }
schedule large_layer for cuda sm_75 { one: tile 128 x 128; }
schedule large_steps for cuda sm_80 { one: tile 256 x 128; two: tile 256 x 128; three: tile 256 x 128; }
schedule large for cuda sm_80 { one: tile 256 x 128; two: tile 256 x 128; }
schedule large_bytes for cuda sm_80 { one: tile 256 x 128; two: tile 256 x 128; }
schedule large_layer for cuda sm_80 { one: tile 256 x 128; }
schedule large_steps for cuda sm_90a { one: tile 128 x 256; two: tile 128 x 256; three: tile 128 x 256; }
schedule large for cuda sm_90a { one: tile 128 x 256; two: tile 128 x 256; }
schedule large_bytes for cuda sm_90a { one: tile 128 x 256; two: tile 128 x 256; }
schedule large_layer for cuda sm_90a { one: tile 128 x 256; }
schedule large_steps for hip wave64 { one: tile 128 x 128; two: tile 128 x 128; }
schedule large for hip wave64 { one: tile 128 x 128; two: tile 128 x 128; }
schedule large_layer for hip wave64 { one: tile 128 x 128; }
schedule large_steps for hip gfx90a { one: tile 128 x 128; two: tile 128 x 128; }
schedule large for hip gfx90a { one: tile 128 x 128; two: tile 128 x 128; }
schedule large_layer for hip gfx90a { one: tile 128 x 128; }
schedule large_others for hip wave64 { one: tile 128 x 128; two: tile 64 x 128; }
schedule large_others for hip gfx90a { one: tile 128 x 128; two: tile 64 x 128; }
schedule large_steps for hip wave32 { one: tile 128 x 128; two: tile 128 x 128; three: tile 128 x 128; }
schedule large for hip wave32 { one: tile 128 x 128; two: tile 128 x 128; }
schedule large_bytes for hip wave32 { one: tile 128 x 128; two: tile 128 x 128; }
schedule large_layer for hip wave32 { one: tile 128 x 128; }
schedule large_steps for hip gfx1100 { one: tile 128 x 128; two: tile 128 x 128; three: tile 128 x 128; }
schedule large for hip gfx1100 { one: tile 128 x 128; two: tile 128 x 128; }
schedule large_bytes for hip gfx1100 { one: tile 128 x 128; two: tile 128 x 128; }
schedule large_layer for hip gfx1100 { one: tile 128 x 128; }
schedule large_steps for hip gfx1200 { one: tile 128 x 128; two: tile 128 x 128; three: tile 128 x 128; }
schedule large for hip gfx1200 { one: tile 128 x 128; two: tile 128 x 128; }
schedule large_bytes for hip gfx1200 { one: tile 128 x 128; two: tile 128 x 128; }
schedule large_layer for hip gfx1200 { one: tile 128 x 128; }
