// A stencil on a coarse grid, and on a patch of finer cells that comes and goes: the patch is interpolated from the coarse
// grid when it appears
kernel amr(iterations: i64, period: i64, duration: i64, place: i64, inout bg: f64[n, n],
           inout bg_out: f64[n, n],
           inout r: f64[m, m], inout r_out: f64[m, m]) {
	require period >= 1, place >= 0, m >= 1, 2 * place + m <= 2 * n - 2;
	repeat t < iterations {
		if t % period == 0 {
			gather r[i, j] = 0.25
				* (bg[place + i / 2, place + j / 2]
				+ bg[place + (i+1) / 2, place + j / 2]
				+ bg[place + i / 2, place + (j+1) / 2]
					+ bg[place + (i+1) / 2, place + (j+1) / 2]);
			map r_out[i, j] = 0;
		}
		stencil bg_out[i, j] += 0.5 * (bg[i, j+1] - bg[i, j-1] + bg[i+1, j] - bg[i-1, j])
			for i in 1..n-1, j in 1..n-1;
		map bg[i, j] += 1;
		if t % period < duration {
			stencil r_out[i, j] += r[i, j+1] - r[i, j-1] + r[i+1, j] - r[i-1, j]
				for i in 1..m-1, j in 1..m-1;
			map r[i, j] += 1;
		}
	}
}
