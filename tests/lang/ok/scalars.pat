// Device scalars: set by statements, read by later ones and by until.
kernel scalars(x: f32[n], tol: f64, rounds: i32, inout y: f32[n], out s: f64, inout t: i32) {
	let norm: f64 = 0;
	let scale: f32;
	reduce norm = sum[i](f64(x[i]) * x[i]);
	map scale = f32(1 / sqrt(norm));
	map y[i] = scale * x[i];
	map s = norm, t = 2 * t + i32(n);
	repeat until norm < tol || norm > 1e30 at most (2 * rounds) {
		let half: f32[n];
		map half[i] = 0.5 * y[i];
		map y[i] = half[i];
		reduce norm = sum[i](y[i]);
	}
	repeat k < rounds {
		repeat l < k { map y[i] += f32(k * l); }
		map y[i] -= 1 where i == k;
	}
	map s += norm;
}
