// A running fold takes the terms of all cells: no condition around it keeps one from being read.
kernel f(x: i32[n], out p: i32[n], out q: i32[n])
{
	scan p[i] = i > 0 ? sum(x[i - 1]) : 0;
	scan q[i] = sum(i > 0 ? x[i - 1] : 0);
}
kernel g(x: i32[n], out p: i32[n])
{
	scan p[i] = sum[i where i > 0](x[i - 1]), p[i] = i > 0 && any(x[i - 1] > 0) ? 1 : 0;
}
