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
