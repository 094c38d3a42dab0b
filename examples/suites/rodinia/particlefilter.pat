// A particle filter follows a bright disk through the frames of a video: particles move by chance, weigh how bright the
// disk around them is, and those of small weight give way to copies of the others
kernel particlefilter(frame: u8[frames, height, width], dy: i32[ones], dx: i32[ones],
                      u: f64[frames],
                      moveX: f64[frames, n], moveY: f64[frames, n], inout arrayX: f64[n],
                      inout arrayY: f64[n],
                      inout xe: f64[frames], inout ye: f64[frames]) {
	require n >= 1, ones >= 1, height >= 1, width >= 1;
	let likelihood: f64[n];
	let weight: f64[n];
	let cdf: f64[n];
	let total: f64;
	let at: i64[n];
	let xj: f64[n];
	let yj: f64[n];
	repeat t < frames {
		map arrayX[p] += 1 + 5 * moveX[t, p], arrayY[p] += -2 + 2 * moveY[t, p];
		reduce likelihood[p] = sum[k](bright(frame[t,
			clamp(i64(round(arrayY[p])) + i64(dy[k]), 0, height - 1),
			clamp(i64(round(arrayX[p])) + i64(dx[k]), 0, width - 1)])) / f64(ones);
		map weight[p] = exp(likelihood[p]) / f64(n);
		reduce total = sum[p](weight[p]);
		map weight[p] /= total;
		reduce xe[t] = sum[p](arrayX[p] * weight[p]);
		reduce ye[t] = sum[p](arrayY[p] * weight[p]);
		scan cdf[p] = sum(weight[p]);
		map at[p] = min(search(cdf, (u[t] + f64(p)) / f64(n)), n - 1);
		gather xj[p] = arrayX[at[p]];
		gather yj[p] = arrayY[at[p]];
		map arrayX[p] = xj[p], arrayY[p] = yj[p];
	}
}
fn bright(x: u8) -> f64 =
	((f64(x) - 100) * (f64(x) - 100) - (f64(x) - 228) * (f64(x) - 228)) / 5000;
