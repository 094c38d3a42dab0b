// Affine sizes, constants in shapes, sizes as values.
const HALO: i64 = 2;
kernel sizes(x: f32[n], edge: f32[n+1], pair: f32[2*n], pad: f32[n+2*HALO], fixed: f32[8, m],
             out y: f32[n], out z: f32[m, n*2-1]) {
	let t: f32[2*n + 1, HALO];
	map t[i, j] = f32(i) + f32(j);
	map y[i] = (edge[i] + x[i]) / f32(n);
	map z[i, j] = pair[0] where j < m;
	map y[i] += 1 for i in 0..n where i % 2 == 0;
}

// Extents of which one size alone is left bind that size: a sparse matrix without vectors, and one by one.
kernel degrees(row: i32[lines+1], col: i32[entries], out deg: i64, out most: i32) {
	reduce deg = count[e](col[e] >= 0);
	reduce most = max[r in 0..lines](row[r+1] - row[r]);
}
kernel halves(x: f32[2*k], y: f32[m+k-1], out z: f32[m+n+k]) {
	map z[i] = x[i] + y[i] for i in 0..min(2*k, m+k-1);
}

test of_degrees { degrees(row = [0, 2, 2, 5], col = [0, 3, -1, 2, 1]) -> deg = 4, most = 3; }
