// compact: every other cell, in its order.
kernel chosen(a: f32[n], out y: f32[n])
{
	compact y = a[i] where i % 2 == 0 && a[i] > 0;
}
