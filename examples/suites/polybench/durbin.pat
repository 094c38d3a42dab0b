// Levinson and Durbin: the Toeplitz system of r
kernel durbin(r: f64[n], out y: f64[n]) {
	require n >= 1;
	let alpha: f64;
	let beta: f64;
	let z: f64[n];
	map y[0] = -r[0];
	map alpha = -r[0];
	map beta = 1;
	repeat t < n - 1 {
		map beta = (1 - alpha * alpha) * beta;
		reduce alpha = -(r[t+1] + sum[i in 0..t+1](r[t-i] * y[i])) / beta;
		gather z[i] = y[i] + alpha * y[t-i] for i in 0..t+1;
		map y[i] = z[i] for i in 0..t+1;
		map y[t+1] = alpha;
	}
}
