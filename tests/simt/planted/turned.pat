// what a transpose does: tiles turned in shared memory.
kernel turned(a: f32[n, m], out b: f32[m, n])
{
	transpose b[j, i] = a[i, j];
}
