// What the caller has in memory: columns, leading dimensions, in every kind of statement.
kernel mixed(x: f32[n, m] layout col, y: f32[n, m] layout row(ld), out z: f32[n, m] layout col(lz)) {
	map z[i, j] = x[i, j] + 2 * y[i, j];
}
kernel columns(x: f32[n, m] layout col, inout y: f32[n, m] layout col, out k: u8[n, m] layout col) {
	map y[i, j] = 2 * x[i, j] - y[i, j];
	map k[i, j] = u8(y[i, j]) where x[i, j] > 0;
}
kernel space(x: f64[l, m, n] layout col(ld), out y: f64[l, m, n] layout row(ld), inout z: i16[l, m, n] layout col) {
	map y[i, j, k] = x[i, j, k] + f64(i + 3 * j + 7 * k);
	map z[i, j, k] += 1 for i in 0..l, j in 0..m, k in 1..n;
}
kernel padded(x: f32[5, 3] layout row(8), y: f32[n, m] layout row(m + 8), out z: f32[n, m] layout col(2 * n), out s: f32[m, ld]) {
	map z[i, j] = y[i, j] + x[4, 2];
	map s[i, j] = f32(ld);
}
kernel triangle(x: f32[n, m] layout col(ld), out y: f32[n, m] layout col(ld)) {
	map y[i, j] = x[i, j] for i in 0..n, j in 0..min(i, m);
}

kernel five(a: f32[n, m] layout col(ld), out b: f32[n, m] layout col(ld)) {
	s: stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
}
kernel far(a: i32[n, m] layout col, c: i32[n, m] layout row(ld), inout b: i32[n, m] layout col(lb)) {
	stencil b[i, j] = a[i-3, j+40] - c[i+1, j-2] boundary (wrap, mirror);
	stencil b[i, j] += a[i-1, j] + 3 * a[i, j+1] boundary keep;
}
// the corner answers with the first axis' value, whatever the order in memory
kernel corners(a: i32[n, m] layout col, inout b: i32[n, m] layout col, c: i32[n, m] layout row(ld)) {
	stencil b[i, j] = a[i-1, j-1] + a[i+1, j+1] boundary (i32(7 * i), i32(5 * j));
	stencil b[i, j] -= c[i-1, j-1] + a[i+1, j+1] boundary (3, i32(i));
}
kernel staged(a: f32[n, m] layout col(ld), b: f32[l, n, m] layout col, out c: f32[n, m] layout col(ld), out d: f32[l, n, m] layout col) {
	plane: stencil c[i, j] = a[i-1, j] + a[i+1, j-1] + 2 * a[i, j+2] boundary (5, f32(i));
	space: stencil d[i, j, k] = b[i-1, j, k] + b[i+1, j, k] - b[i, j-1, k] + b[i, j, k+1] boundary (wrap, 2, keep);
}
schedule staged for cuda { plane: stage shared, tile 8 x 16; space: stage shared, tile 16 x 2 x 8; }
schedule staged for hip { plane: stage shared; space: stage shared; }
kernel settles(inout a: f64[n, m] layout col(ld), out change: f64) {
	let b: f64[n, m];
	repeat until change < 1 at most 5 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary mirror;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
}
kernel turns(inout a: f32[n, m] layout row(ld), inout b: f32[n, m] layout row(ld), steps: i32) {
	let c: f32[n, m];
	repeat t < steps {
		map c[i, j] = a[i, j] + b[i, j] for i in 0..n, j in 1..m;
		swap a, c;
		swap b, c;
	}
}

kernel folds(x: f32[n, m] layout col, y: f32[n, m] layout row(ld), z: f32[n, m] layout col(lz),
             out r: f32[n], out c: f32[m], out s: f32, out u: f32[n], out v: f32[m], out w: f32, out k: i64) {
	reduce r[i] = sum[j](x[i, j]), u[i] = max[j](z[i, j]);
	reduce c[j] = sum[i](x[i, j]), v[j] = min[i](y[i, j]);
	reduce s = sum[i, j](x[i, j] * z[i, j]);
	reduce w = max[i, j](y[i, j]), k = count[i, j](x[i, j] > y[i, j]);
}
kernel row_of(x: f32[5, m] layout row(ld), y: f32[5, m], z: f32[m, 5] layout col(ld), out s: f32, out t: f32, out u: f32) {
	reduce s = sum[j](x[3, j]);
	reduce t = sum[j](y[3, j]);
	reduce u = sum[j](z[j, 3]);
}
kernel kept(x: i32[l, m, n] layout col(ld), out y: i32[l, n] layout col, out z: i32[m], out t: i32) {
	reduce y[i, k] = sum[j](x[i, j, k]);
	reduce z[j] = sum[i, k where i < k](x[i, j, k]);
	reduce t = sum[i in 0..l, k in 0..n](m > 0 ? x[i, 0, k] : 1);
}
op first(a: i32, b: i32) -> i32 = a != 0 ? a : b identity 0, associative;
kernel in_order(x: i32[n, m] layout col, out s: i32, out r: i32[n], out c: i32[m]) {
	reduce s = first[i, j](x[i, j]);
	reduce r[i] = first[j](x[i, j]);
	reduce c[j] = first[i](x[i, j]);
}
kernel tested(x: f32[n, m] layout col(ld), s: i32, t: i32, out y: f32[n, m] layout row(ld), out z: f32[n, m] layout col) {
	map y[i, j] = x[i, j] for i in 0..s, j in 0..t;
	map z[i, j] = 2 * y[i, j] for i in 0..n, j in 0..t;
}
kernel by_the_book(x: f32[n, m] layout col(ld), y: f32[n, m] layout col, out s: f32, out r: f32[n], out c: f32[m]) {
	reduce s = sum[i, j](x[i, j] * y[i, j]) strict;
	reduce r[i] = sum[j](x[i, j] + y[i, j]) strict;
	reduce c[j] = sum[i](x[i, j]) strict;
}
kernel places(x: f32[n, m] layout col(ld), y: i32[n, m] layout col, out v: f32, out p: i64, out q: i64, out w: i32[n], out at: i64[n]) {
	reduce v, p, q = argmax[a, b](x[a, b]);
	reduce w[i], at[i] = argmin[k](y[i, k] % 3);
}
