// repeat until: the device decides; the passes shrink what they change, so that they end before the
// most.
kernel damp(inout a: f32[n, m], steps: i64, out change: f32)
{
	let b: f32[n, m];

	repeat until change < 1 at most steps {
		stencil b[i, j] = 0.05 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1])
			boundary clamp;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
}
