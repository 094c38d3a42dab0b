// every boundary mode, offsets beyond the array, values that use indices and parameters; rank 1
kernel b1(a: f32[n], out c: f32[n], out w: f32[n], out m: f32[n], out r: f32[n]) {
	stencil c[i] = a[i-1] + 2 * a[i+1] boundary clamp;
	stencil w[i] = a[i-1] + 2 * a[i+1] boundary wrap;
	stencil m[i] = a[i-1] + 2 * a[i+1] boundary mirror;
	stencil r[i] = a[i-1] + 2 * a[i+1] boundary reflect;
}
kernel b2(a: f32[n], out c: f32[n], out w: f32[n], out m: f32[n], out r: f32[n]) {
	stencil c[i] = a[i-9] + 2 * a[i+70] boundary clamp;
	stencil w[i] = a[i-9] + 2 * a[i+70] boundary wrap;
	stencil m[i] = a[i-9] + 2 * a[i+70] boundary mirror;
	stencil r[i] = a[i-9] + 2 * a[i+70] boundary reflect;
}
kernel b3(a: f32[n], p: f32, out c: f32[n], out d: f32[n], out e: f32[n], out f: f32[n]) {
	stencil c[i] = a[i-1] + a[i+1] boundary 0;
	stencil d[i] = a[i-1] + a[i+1] boundary constant -2.5;
	stencil e[i] = a[i-2] + a[i+2] boundary (p * f32(i));
	stencil f[i] = a[i-2] + a[i+2] boundary (i < 0 ? p : -p);
}
kernel b4(a: f32[n], e: f32[n], inout c: f32[n], inout d: f32[n]) {
	stencil c[i] = a[i-1] + a[i+1] boundary keep;
	stencil d[i] = a[i-3] + e[i+100] boundary keep where i % 3 != 1;
}
kernel b5(a: i32[n], b: u8[n], c: f64[n], d: bool[n], out w: i32[n], out x: u8[n], out y: f64[n], out z: bool[n]) {
	stencil w[i] = a[i-1] * a[i+1] boundary 7;
	stencil x[i] = b[i-1] / 2 + b[i+1] / 2 boundary mirror;
	stencil y[i] = c[i-1] - c[i] boundary (f64(n));
	stencil z[i] = d[i-1] ^ d[i+1] boundary true;
}
kernel b6(a: f32[n], out c: f32[n]) {
	stencil c[i] = a[i-1] + a[i+1] boundary clamp for i in 1..n;
}
kernel b7(a: f32[n], b: f32[m], out c: f32[n]) {
	stencil c[i] = a[i-1] + b[0] + b[m-1] boundary wrap where m > 0;
}
kernel b8(a: f32[n], out c: f32[n]) {
	stencil c[i] = a[i+1] - a[i] where i + 1 < n;
	stencil c[i] = i + 1 < n ? a[i+1] : a[i] where i == n - 1;
}
kernel b9(inout a: f32[n]) {
	stencil a[i] = 0.5 * (a[i-1] + a[i+1]) for i in 1..n-1 where i % 2 == 0;
	stencil a[i] = 0.5 * (a[i-1] + a[i+1]) for i in 1..n-1 where i % 2 == 1;
}
kernel b10(a: f32[2*n], b: f32[n+1], out c: f32[n]) {
	stencil c[i] = b[i+1] - b[i] + a[i];
	stencil c[i] += a[i+1] boundary wrap;
}
kernel b11(a: f32[n], out c: f32[n], out d: f32[n]) {
	stencil c[i] = a[i-1] + a[i+1], d[i] = c[i] + a[i] boundary clamp;
}
kernel b12(a: f32[n], b: f32[n], out c: f32[n]) {
	let t: f32[n];
	map t[i] = a[i] * b[i] + 1;
	stencil c[i] = t[i-1] + t[i] + t[i+1] boundary reflect;
}
kernel b13(a: f32[n], out c: f32[n], out s: f32, out t: f32) {
	stencil c[i] = a[i-1] + a[i+1] boundary mirror;
	reduce s = max[i](abs(c[i] - a[i])), t = sum[i](c[i]);
}
kernel b14(a: f32[n], out c: f32[n], k: i32) {
	stencil c[i] = a[i-1] * f32(k) boundary (f32(k) + f32(i) * 0.25);
	stencil c[i] += a[i+1] boundary (inf);
}
struct S { u: f32, v: f32[3], k: i32 }
kernel b15(a: S[n], out c: S[n], out d: f32[n]) {
	stencil c[i].u = a[i-1].u + a[i+1].v[2], c[i].v[1] = a[i-1].v[0], c[i].k = a[i+2].k boundary wrap;
	map c[i].v[0] = 0, c[i].v[2] = a[i].u;
	stencil d[i] = sum[k in 0..3](a[i+k-1].v[k]) boundary clamp;
}
kernel b16(a: f32[n], out c: f32[n]) {
	stencil c[i] = sum[k in -3..4](a[i+k] * f32(k)) boundary clamp;
	stencil c[i] max= max[k in -1..2](a[i+k]) boundary -inf;
}
