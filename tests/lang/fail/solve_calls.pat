fn d(x: f64) -> f64 = x + x;
kernel a(f: f64[n], out x: f64[n]) {
	solve x[i] in d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(d(x[i])))))))))))))))))))))) + x[i-1] = f[i] boundary 0;
}
