// joined.pat - statements that share arrays, and rows whose lengths an index decides: bench/run
// writes a second text, whose statements are kernels of their own and whose rows are a thread's.
kernel joined_maps(x: f32[n], out y: f32[n], out z: f32[n])
{
	map y[i] = x[i] * 2;
	map z[i] = x[i] + 1;
}

kernel joined_totals(x: f32[n], out s: f32, out m: f32)
{
	reduce s = sum[i](x[i]);
	reduce m = max[i](x[i]);
}

kernel joined_slopes(a: f32[n, m], out x: f32[n, m], out y: f32[n, m])
{
	stencil x[i, j] = a[i-1, j-1] + 2 * a[i, j-1] + a[i+1, j-1] - a[i-1, j+1] - 2 * a[i, j+1]
		- a[i+1, j+1] boundary clamp;
	stencil y[i, j] = a[i-1, j-1] + 2 * a[i-1, j] + a[i-1, j+1] - a[i+1, j-1] - 2 * a[i+1, j]
		- a[i+1, j+1] boundary clamp;
}

kernel joined_gradient(a: f32[n, m, k], out x: f32[n, m, k], out y: f32[n, m, k],
                       out z: f32[n, m, k])
{
	stencil x[i, j, l] = a[i+1, j, l] - a[i-1, j, l] boundary clamp;
	stencil y[i, j, l] = a[i, j+1, l] - a[i, j-1, l] boundary clamp;
	stencil z[i, j, l] = a[i, j, l+1] - a[i, j, l-1] boundary clamp;
}

kernel triangle(x: f32[n, m], out s: f32[n])
{
	reduce s[i] = sum[j in 0..min(i + 1, m)](x[i, j]);
}

// What a softmax of a causal attention needs of each row.
kernel causal(x: f32[n, m], out top: f32[n], out s: f32[n])
{
	reduce top[i] = max[j in 0..min(i + 1, m)](x[i, j]);
	reduce s[i] = sum[j in 0..min(i + 1, m)](exp(x[i, j] - top[i]));
}
