// map: vectors of four cells, an unaligned head, a guarded tail.
kernel scale(x: f32[n], out y: f32[n])
{
	map y[i] = 2 * x[i] + 1;
}
