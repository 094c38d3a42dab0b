// A level of the wavelet 5/3 of JPEG 2000: rows, then columns; what is smooth comes first, then the details
kernel dwt2d(inout image: i32[2*h, 2*w]) {
	require h >= 1, w >= 1;
	let high: i32[2*h, w];
	let low: i32[2*h, w];
	let rows: i32[2*h, 2*w];
	let high2: i32[h, 2*w];
	let low2: i32[h, 2*w];
	gather high[i, j] = image[i, 2*j+1]
		- ((image[i, 2*j] + image[i, j < w - 1 ? 2*j+2 : 2*j]) >> 1);
	gather low[i, j] = image[i, 2*j] + ((high[i, j > 0 ? j-1 : 0] + high[i, j] + 2) >> 2);
	map rows[i, j] = low[i, j] for j in 0..w;
	gather rows[i, j] = high[i, j-w] for j in w..2*w;
	gather high2[i, j] = rows[2*i+1, j]
		- ((rows[2*i, j] + rows[i < h - 1 ? 2*i+2 : 2*i, j]) >> 1);
	gather low2[i, j] = rows[2*i, j] + ((high2[i > 0 ? i-1 : 0, j] + high2[i, j] + 2) >> 2);
	map image[i, j] = low2[i, j] for i in 0..h;
	gather image[i, j] = high2[i-h, j] for i in h..2*h;
}
