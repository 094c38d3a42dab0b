// A scatter of what a gather leaves out: the terms are tested, the items are not.
kernel dropped(x: i32[n, h], p: u32[n], c: i32, inout t: i32[h])
{
	let g: i32[n, h];
	gather g[i, k] = x[i, p[i]] + (k % 3 == 1 ? x[i, k] : 2);
	scatter t[k] -= max(c, g[i, k]) for i in 0..n, k in 0..h;
}
