// A histogram into an array of no cells, and a target whose subscript is written i+0.
kernel none(x: i32[n], inout h: u32[0]) { histogram h[x[i]] += 1 drop; }
kernel plus_zero(s: f32[n, m], out a: f32[n, m], out most: f32)
{
	wavefront a[i+0, j] = max(a[i-1, j], a[i, j-1]) + s[i, j] boundary 0.0;
	reduce most = max[i, j](a[i, j]);
}
