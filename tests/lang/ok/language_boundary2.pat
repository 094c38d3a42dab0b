// boundaries in two and three dimensions, one for each axis
kernel c1(a: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = 0.25 * (a[i-1,j] + a[i+1,j] + a[i,j-1] + a[i,j+1]) boundary clamp; }
kernel c2(a: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = a[i-1,j-1] + a[i+1,j+1] - a[i-1,j+1] - 3 * a[i+1,j-1] boundary wrap; }
kernel c3(a: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = a[i-2,j-1] + a[i+1,j+3] boundary mirror; }
kernel c4(a: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = a[i-2,j-1] + a[i+1,j+3] boundary reflect; }
kernel c5(a: f32[n, m], out y: f32[n, m], v: f32) { stencil y[i, j] = a[i-2,j-1] + a[i+1,j+3] boundary (v + f32(i) * 10 + f32(j)); }
kernel c6(a: f32[n, m], inout y: f32[n, m]) { stencil y[i, j] = a[i-2,j-1] + a[i+1,j+3] boundary keep; }
kernel c7(a: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = a[i-1,j] + a[i,j+1] + a[i+1,j-1] boundary (wrap, clamp); }
kernel c8(a: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = a[i-1,j] + a[i,j+1] + a[i+1,j-1] boundary (0, wrap); }
kernel c9(a: f32[n, m], inout y: f32[n, m]) { stencil y[i, j] = a[i-1,j] + a[i,j+1] + a[i+1,j-1] boundary (keep, mirror); }
kernel c10(a: f32[n, m], inout y: f32[n, m]) { stencil y[i, j] = a[i-1,j] + a[i,j+1] + a[i+1,j-1] boundary (5, keep); }
kernel c11(a: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = a[i-1,j] + a[i,j+1] + a[i+1,j-1] boundary (1, 2); }
kernel c12(a: f32[n, m], out y: f32[n, m]) { stencil y[i, j] = a[i-1,j] + a[i,j+1] + a[i+1,j-1] boundary (reflect, -1); }
kernel c13(a: f64[n, m], row: f64[m], col: f64[n], out y: f64[n, m]) {
	stencil y[i, j] = a[i-1, j] * row[j+1] + col[i-1] * row[j] + a[i, j] boundary (mirror, wrap);
}
kernel c14(a: f32[n, m], out y: f32[n, m]) {
	stencil y[i, j] = a[i-1, j] + a[i+1, j] boundary clamp for j in 1..m-1 where (i + j) % 2 == 1;
}
kernel c15(inout a: f32[n, m]) {
	stencil a[i, j] = 0.25 * (a[i-1,j] + a[i+1,j] + a[i,j-1] + a[i,j+1]) for i in 1..n-1, j in 1..m-1 where (i + j) % 2 == 0;
	stencil a[i, j] = 0.25 * (a[i-1,j] + a[i+1,j] + a[i,j-1] + a[i,j+1]) for i in 1..n-1, j in 1..m-1 where (i + j) % 2 == 1;
}
kernel d1(a: f32[n, m, l], out y: f32[n, m, l]) {
	stencil y[i,j,k] = a[i-1,j,k] + a[i+1,j,k] + a[i,j-1,k] + a[i,j+1,k] + a[i,j,k-1] + a[i,j,k+1] - 6 * a[i,j,k] boundary clamp;
}
kernel d2(a: f32[n, m, l], out y: f32[n, m, l]) {
	stencil y[i,j,k] = a[i-1,j-1,k-1] + a[i+1,j+1,k+1] - a[i-1,j+2,k] boundary (wrap, mirror, reflect);
}
kernel d3(a: f32[n, m, l], inout y: f32[n, m, l]) {
	stencil y[i,j,k] = a[i-1,j-1,k-1] + a[i+1,j+1,k+1] boundary (keep, clamp, 3);
}
kernel d4(a: f32[n, m, l], out y: f32[n, m, l]) {
	stencil y[i,j,k] = a[i-1,j-1,k-1] + a[i+1,j+1,k+1] boundary (f32(i) + 2 * f32(j) - f32(k));
}
kernel d5(a: f64[n, m, l], b: f64[m, l], c: f64[l], d: f64[n], out y: f64[n, m, l]) {
	stencil y[i,j,k] = a[i-1,j,k+1] + b[j-1,k] + c[k+2] + d[i+1] boundary (mirror, wrap, clamp);
}
kernel d6(a: i32[n, m, l], out y: i32[n, m, l], out s: i32) {
	stencil y[i,j,k] = a[i-1,j,k] - a[i,j,k-1] boundary wrap;
	reduce s = sum[i, j, k](y[i, j, k]);
}
kernel d7(a: f32[n, m, l], out y: f32[m, l], out z: f32[n, l], out w: f32[l]) {
	stencil y[j, k] = a[0, j-1, k+1] boundary clamp where n > 0;
	stencil z[i, k] = m > 2 ? a[i+1, 2, k-1] : 0 boundary wrap;
	map w[k] = m > 0 && n > 1 ? a[1, 0, k] : 1;
}
kernel d8(a: f32[n, m, 3, q], out y: f32[n, m, 3, q]) {
	stencil y[i,j,k,h] = a[i-1,j,k,h] + a[i,j+1,k,h] + a[i,j,k-1,h] + a[i,j,k,h+1] boundary (clamp, wrap, mirror, reflect);
}
kernel d9(a: f32[n, 3, l, 2, 5], out y: f32[n, 3, l, 2, 5]) {
	stencil y[i,j,k,h,g] = a[i-1,j,k,h,g] + a[i,j,k,h,g+1] boundary (clamp, 0, mirror, 1, 2);
	map y[i,j,k,h,g] += a[i,j,k,h,g] + f32(i * g);
}
kernel d10(a: f32[n, m], out y: f32[n, m], out e: f32) {
	let t: f32[n, m];
	stencil t[i, j] = a[i-1, j] + a[i+1, j] boundary clamp;
	stencil y[i, j] = t[i, j-1] + t[i, j+1] boundary clamp;
	reduce e = max[i, j](abs(y[i, j]));
}
kernel d11(a: f32[n, m], mask: bool[n, m], k: f32[n, m], out y: f32[n, m]) {
	stencil y[i, j] = mask[i, j] ? a[i, j] : a[i, j] + k[i, j] * (a[i-1,j] + a[i+1,j] - 2 * a[i, j]) boundary (mirror, mirror) where i + j > 2;
}
