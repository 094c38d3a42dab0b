// Waves: the two parts of the electric field, then the magnetic one
kernel fdtd_2d(inout ex: f64[nx, ny], inout ey: f64[nx, ny], inout hz: f64[nx, ny],
               fict: f64[tmax]) {
	require nx >= 1;
	repeat t < tmax {
		map ey[0, j] = fict[t];
		stencil ey[i, j] -= 0.5 * (hz[i, j] - hz[i-1, j]) for i in 1..nx;
		stencil ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j-1]) for j in 1..ny;
		stencil hz[i, j] -= 0.7 * (ex[i, j+1] - ex[i, j] + ey[i+1, j] - ey[i, j])
			for i in 0..nx-1, j in 0..ny-1;
	}
}
