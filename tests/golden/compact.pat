// compact.pat - the positive cells and where they stood; the others behind one another in z.
kernel positive(x: f32[n], out y: f32[n], out at: i64[n], out z: f32[n], out w: i64[n], out k: i64)
{
	compact y, k = x[i], at = i where x[i] > 0 else (z, w);
}
