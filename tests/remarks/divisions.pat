// patc --target=cuda
// Which divisions of floats become products.
kernel divisions(a: f32[n], d: f32, out b: f32[n], out c: f32[n], out e: f32[n], out f: f32[n], out g: f32) {
	constant: map b[i] = a[i] / 118 + a[i] / f32(n);
	scalar: map c[i] = a[i] / d;
	changes: map e[i] = d / a[i];
	halves: map f[i] = a[i] / 2;
	huge: reduce g = sum[i](a[i] / 1e30);
}
schedule divisions for cuda { no fuse; }
