// what a transpose does: tiles turned in shared memory.
kernel turned(a: f32[n, m], out b: f32[m, n])
{
	transpose b[j, i] = a[i, j];
}
kernel whole(a: f32[64, 96], out b: f32[96, 64])
{
	transpose b[j, i] = a[i, j];
}
kernel apart(a: f32[67, 71], out b: f32[71, 67])
{
	transpose b[j, i] = a[i, j];
}
kernel single(a: f32[n, m], out b: f32[m, n])
{
	transpose b[j, i] = a[i, j];
}
schedule single for cuda { vector 1; }
