// several vectors a thread, all loaded before the first is used; and what one block's tile leaves over
kernel copies(x: f32[n], y: u8[n], z: f64[n], out a: f32[n], out b: u8[n], out c: f64[n], out d: f32[n], inout e: i32[n, m]) {
	p: map a[i] = 2 * x[i];
	q: map b[i] = y[i] ^ 85;
	r: map c[i] = z[i] + f64(x[i]);
	s: map d[i] = f32(y[i]) where x[i] > 0;
	t: map e[i, j] = e[i, j] * 3 + 1;
}
schedule copies for cuda { p: coarsen 2; q: coarsen 8; r: coarsen 3, vector 1; s: coarsen 4; t: coarsen 5; }
schedule copies for hip { p: coarsen 8; q: coarsen 2, vector 4; r: coarsen 4; s: coarsen 3; t: coarsen 2, vector 2; }

// a later equation sees the cell of its own vector; structs and bytes of one array have no vectors
struct Pair { x, y: f32 }
kernel chained(v: f32[n], inout w: f32[n], out u: f32[n], p: Pair[n], out k: Pair[n]) {
	a: map w[i] += v[i], u[i] = w[i] * w[i];
	b: map k[i] = Pair(p[i].y, p[i].x);
}
schedule chained for cuda { a: coarsen 4; b: coarsen 3; }
schedule chained for hip { coarsen 2; }

// what is computed where it is read stays right when it may not be
kernel apart(x: f32[n, m], out y: f32[n, m], out e: f32) {
	let t: f32[n, m];
	scale: map t[i, j] = x[i, j] / 3;
	step: stencil y[i, j] = t[i-1, j] + t[i, j+1] boundary mirror;
	total: reduce e = max[i, j](y[i, j]);
}
schedule apart for cuda { scale: no fuse, coarsen 4; total: no fuse; step: stage shared, coarsen 2; }
schedule apart for hip { scale: fuse; total: fuse; step: stage shared, tile 3 x 40; }

// kernels of the names that NAME_host() gives its own, and of a library's function
kernel failure(x: f32[n], out y: f32[n], out s: f32) { map y[i] = x[i]; reduce s = sum[i](x[i]); }
kernel pieces(x: f32[n], out y: f32[n], out s: f32) { map y[i] = x[i]; reduce s = sum[i](x[i]); }
kernel access(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
schedule access for cuda { coarsen 2; }

// data say which element of a table: tested, so that the arrays are not taken as one long row
const TAB: f32[4] = [1, 2, 3, 4];
kernel table(k: i32[n], out y: f32[n], a: f32[n, m], l: i32[n, m], out b: f32[n, m]) {
	map y[i] = TAB[k[i]];
	map b[i, j] = a[i, j] + TAB[l[i, j] & 3];
}
