// loops - loops of small steps.  bench/run compiles this file twice: as it is, and by --no-pass=loop with `launched_`
// before each name.
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
kernel lu(from: f32[n, n], inout a: f32[n, n]) {
	map a[i, j] = from[i, j];
	repeat k < n {
		map a[i, k] /= a[k, k] for i in k+1..n;
		map a[i, j] -= a[i, k] * a[k, j] for i in k+1..n, j in k+1..n;
	}
}
kernel knapsack(weight: i32[items], value: i32[items], inout best: i32[capacity]) {
	let next: i32[capacity];
	map best[w] = 0;
	repeat k < items {
		gather next[w] = w >= weight[k] && weight[k] >= 0
			? max(best[w], best[w - weight[k]] + value[k]) : best[w];
		swap best, next;
	}
}
kernel lstm(x: f32[steps, m], u: f32[4*n, m], w: f32[4*n, n], inout h: f32[n], inout c: f32[n]) {
	let g: f32[4*n];
	map h[j] = 0, c[j] = 0;
	repeat s < steps {
		reduce g[j] = sum[k](w[j, k] * h[k]);
		reduce g[j] = g[j] + sum[k](u[j, k] * x[s, k]);
		gather c[j] = c[j] / (1 + exp(-g[j])) + tanh(g[n + j]) / (1 + exp(-g[2 * n + j]));
		gather h[j] = tanh(c[j]) / (1 + exp(-g[3 * n + j]));
	}
}
kernel rod(steps: i64, inout a: f32[n]) {
	let b: f32[n];
	repeat t < steps {
		stencil b[i] = a[i] + 0.25 * (a[i-1] - 2 * a[i] + a[i+1]) boundary keep;
		swap a, b;
	}
}
