kernel chain(a: f32[n, n], b: f32[n, m], out x: f32[n, m]) {
	one: wavefront x[i, c] = b[i, c] - sum[j in 0..i](a[i, j] * x[j, c]) strict;
}
schedule chain for cuda { one: sweep blocked; }
kernel masked(a: f32[n, n], inout x: f32[n, m]) {
	two: wavefront x[i, c] = x[i, c] * (1 - sum[j in 0..i](a[i, j] * x[j, c]));
}
schedule masked for cuda { two: sweep blocked; }
kernel branch(a: f64[n, n], inout x: f64[n, m]) {
	three: wavefront x[i, c] = i > 3 ? x[i, c] - sum[j in 0..i](a[i, j] * x[j, c]) : 1;
}
schedule branch for cuda { three: sweep blocked; }
kernel along(inout x: f64[n, m]) {
	four: wavefront x[i, c] = x[i, c] + sum[j in 0..i](x[j, c]);
}
schedule along for cuda { four: sweep blocked; }
