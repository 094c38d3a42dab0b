kernel means(x: f32[n], h: f16[n], d: f64[n], u: i32[n], out y: f32[n], out g: f16[n], out e: f64[n]) {
	map y[i] = x[i] / n + 2 * (n + 1) * x[i];
	map g[i] = i;
	map e[i] = d[i] / n;
	map y[i] = y[i] + f32(n) * x[i] + h[i] + u[i];
	map e[i] += y[i];
	reduce y[i] = count[j in 0..i](x[j] > 0);
}
