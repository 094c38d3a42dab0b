// wave.pat - the kernels wave.cu runs: wavefronts on tables of many strips.  Integers wrap, so a cell's neighbours say what it is.
kernel area(p: i32[m, n], out a: i32[m, n])
{
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}

kernel align(q: i32[m], d: i32[n], out h: i32[m, n])
{
	wavefront h[i, j] = max(h[i, j-1] - 2, h[i-1, j] - 2, h[i-1, j-1] + (q[i] == d[j] ? 3 : -1), 0) boundary 0;
}

kernel score(q: i32[m], d: i32[n], out best: i32)
{
	let h: i32[m, n];
	wavefront h[i, j] = max(h[i, j-1] - 2, h[i-1, j] - 2, h[i-1, j-1] + (q[i] == d[j] ? 3 : -1), 0) boundary 0;
	reduce best = max[i, j](h[i, j]);
}

// In place, between borders.
kernel mixed(inout a: i32[m, n])
{
	wavefront a[i, j] = max(a[i, j] + a[i, j-1], a[i-1, j-1] - a[i+1, j]) - a[i, j+1] for i in 1..m-1, j in 1..n-1;
}

// Floats, beside doubles in the order of the rows.
kernel area_f32(p: f32[m, n], out a: f32[m, n])
{
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}

kernel area_f64(p: f64[m, n], out a: f64[m, n])
{
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}

kernel area_strict(p: f64[m, n], out a: f64[m, n])
{
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0 strict;
}

kernel relax_f32(inout a: f32[m, n])
{
	wavefront a[i, j] = (a[i, j] + a[i, j-1] + a[i-1, j] + a[i+1, j] + a[i, j+1]) / 5 for i in 1..m-1, j in 1..n-1;
}

kernel relax_f64(inout a: f64[m, n])
{
	wavefront a[i, j] = (a[i, j] + a[i, j-1] + a[i-1, j] + a[i+1, j] + a[i, j+1]) / 5 for i in 1..m-1, j in 1..n-1;
}

kernel relax_strict(inout a: f64[m, n])
{
	wavefront a[i, j] = (a[i, j] + a[i, j-1] + a[i-1, j] + a[i+1, j] + a[i, j+1]) / 5 for i in 1..m-1, j in 1..n-1 strict;
}
