// a x = b by elimination without pivots; m has the multipliers
kernel gaussian(inout a: f32[n, n], inout b: f32[n], inout m: f32[n, n], out x: f32[n]) {
	repeat t < n - 1 {
		map m[i, t] = a[i, t] / a[t, t] for i in t+1..n;
		map a[i, j] -= m[i, t] * a[t, j] for i in t+1..n, j in t..n;
		map b[i] -= m[i, t] * b[t] for i in t+1..n;
	}
	map x[i] = b[i];
	repeat t < n {
		map x[n-1-t] /= a[n-1-t, n-1-t];
		map x[i] -= a[i, n-1-t] * x[n-1-t] for i in 0..n-1-t;
	}
}
