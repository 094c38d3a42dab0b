// repeat.pat - Jacobi's method until the change is small: a stencil, a reduction of its result, a swap.
kernel jacobi(inout a: f32[n, m], eps: f32, steps: i64, out change: f32)
{
	let b: f32[n, m];

	repeat until change < eps at most steps {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1])
			boundary keep;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
}
