// Every type, mode and layout of a parameter: what bindings of other languages have to call.
struct Spot { at: f32[2], kind: i16, lit: bool }

// One array a layout; the sizes follow from the arrays but for the leading dimension.
kernel layouts(a: f64[n, m], b: f64[n, m] layout col, c: f64[n, m] layout row(ld), d: f64[n, m] layout tiled(2, 4),
               odd: i32[2*n+1], out y: f64[n, m]) {
	require n < 1000;
	map y[i, j] = a[i, j] + 10 * b[i, j] + 100 * c[i, j] + 1000 * d[i, j];
	gather y[i, j] += odd[2*i+1] where j == 0;
}

// Structs: whole, with their fields apart, in blocks.
kernel spots(p: Spot[n], inout q: Spot[n] layout soa, r: Spot[n] layout aosoa(4), out dark: i64) {
	map q[i].kind = p[i].kind + r[i].kind;
	map q[i].at = p[i].at;
	map q[i].lit = !p[i].lit;
	reduce dark = count[i](!q[i].lit);
}

// Types.
kernel types(t: bool[n], a: i8[n], b: u8[n], c: i16[n], d: u16[n], e: i32[n], f: u32[n], g: i64[n], h: u64[n],
             o: f16[n], p: bf16[n], q: f8e4m3[n], r: f8e5m2[n], s: f32[n], k: i32, on: bool, w: f16, inout last: f64, out y: f64[n]) {
	map y[i] = (t[i] && on ? 1.0 : 0.0) + f64(a[i]) + f64(b[i]) + f64(c[i]) + f64(d[i]) + f64(e[i]) + f64(f[i]) + f64(g[i])
		+ f64(h[i]) + f64(o[i]) + f64(p[i]) + f64(q[i]) + f64(r[i]) + f64(s[i]) + f64(k) + f64(w) + last;
	reduce last += sum[i](y[i]) strict;
}

// An index that data give: what no check of the arguments finds.
kernel pick(x: f32[n], at: i32[m], out y: f32[m]) {
	gather y[i] = x[at[i]];
}

// A name that C has taken, and sizes that only the call knows.
kernel double(out y: i64[n], by: i64) {
	map y[i] = by * i;
}
