kernel symmetric(x: f32[n], y: f32[m], out u: f32[n], out v: f32[n], out at: i64[n], out w: f32[n, n]) {
	pinned: pairs u[i] = sum[j where i != j](sin(x[j] - x[i]));
	left: pairs u[i] = sum[j where i != j](sin(x[j] - x[i]));
	offered: pairs u[i] = sum[j where i != j](sin(x[j] - x[i]));
	reduced: reduce v[i] = max[j](abs(x[j] - x[i]));
	one: pairs v[i] = sum[j](x[j] * (x[j] - x[i]));
	half: pairs v[i] = sum[j where i < j](abs(x[j] - x[i]));
	places: pairs v[i], at[i] = argmin[j](abs(x[j] - x[i]));
	others: pairs v[i] = sum[j](abs(y[j] - x[i]));
	grid: pairs w[i, j] = sum[b](x[i] * x[j] * x[b]);
	exact: pairs v[i] = sum[j](x[j] - x[i]) strict;
	cached: pairs v[i] = sum[j](x[j] - x[i]);
}
schedule symmetric for cuda { pinned: symmetric; left: no symmetric; cached: stage l1; }
