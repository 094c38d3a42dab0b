// A loop that one block runs: cells of neighbours, a fold that ends it, a swap.
kernel steps(inout a: f32[n, m], steps: i64, out change: f32)
{
	require steps <= 5;
	let b: f32[n, m];

	repeat until change < 1 at most steps {
		stencil b[i, j] = 0.05 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1])
			boundary clamp;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
}
