// wavefront.pat - recurrences in two directions: a summed-area table, alignments, relaxation; and
// the same in each order that the compiler knows, pinned.
kernel area(p: f32[m, n], out a: f32[m, n])
{
	wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}

kernel align(q: i32[m], d: i32[n], out h: i32[m, n])
{
	wavefront h[i, j] = max(h[i, j-1] - 2, h[i-1, j] - 2, h[i-1, j-1] + (q[i] == d[j] ? 3 : -1),
		0) boundary 0;
}

kernel relax(inout a: f32[m, n])
{
	wavefront a[i, j] = (a[i, j] + a[i, j-1] + a[i-1, j] + a[i+1, j] + a[i, j+1]) / 5
		for i in 1..m-1, j in 1..n-1;
}

// The best score alone: no table is kept.
kernel score(q: i32[m], d: i32[n], out best: i32)
{
	let h: i32[m, n];
	wavefront h[i, j] = max(h[i, j-1] - 2, h[i-1, j] - 2, h[i-1, j-1] + (q[i] == d[j] ? 3 : -1),
		0) boundary 0;
	reduce best = max[i, j](h[i, j]);
}

kernel area_diagonal(p: f32[m, n], out a: f32[m, n])
{
	order: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}

kernel area_strips(p: f32[m, n], out a: f32[m, n])
{
	order: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}

kernel area_rows(p: f32[m, n], out a: f32[m, n])
{
	order: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}

kernel area_hybrid(p: f32[m, n], out a: f32[m, n])
{
	order: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0;
}

kernel align_diagonal(q: i32[m], d: i32[n], out h: i32[m, n])
{
	order: wavefront h[i, j] =
		max(h[i, j-1] - 2, h[i-1, j] - 2, h[i-1, j-1] + (q[i] == d[j] ? 3 : -1), 0)
		boundary 0;
}

kernel align_rows(q: i32[m], d: i32[n], out h: i32[m, n])
{
	order: wavefront h[i, j] =
		max(h[i, j-1] - 2, h[i-1, j] - 2, h[i-1, j-1] + (q[i] == d[j] ? 3 : -1), 0)
		boundary 0;
}

kernel align_hybrid(q: i32[m], d: i32[n], out h: i32[m, n])
{
	order: wavefront h[i, j] =
		max(h[i, j-1] - 2, h[i-1, j] - 2, h[i-1, j-1] + (q[i] == d[j] ? 3 : -1), 0)
		boundary 0;
}

kernel relax_diagonal(inout a: f32[m, n])
{
	order: wavefront a[i, j] = (a[i, j] + a[i, j-1] + a[i-1, j] + a[i+1, j] + a[i, j+1]) / 5
		for i in 1..m-1, j in 1..n-1;
}

kernel relax_rows(inout a: f32[m, n])
{
	order: wavefront a[i, j] = (a[i, j] + a[i, j-1] + a[i-1, j] + a[i+1, j] + a[i, j+1]) / 5
		for i in 1..m-1, j in 1..n-1;
}

kernel relax_hybrid(inout a: f32[m, n])
{
	order: wavefront a[i, j] = (a[i, j] + a[i, j-1] + a[i-1, j] + a[i+1, j] + a[i, j+1]) / 5
		for i in 1..m-1, j in 1..n-1;
}

schedule area_diagonal for cuda { order: sweep diagonal; }
schedule area_strips for cuda { order: sweep strips; }
schedule area_rows for cuda { order: sweep rows; }
schedule area_hybrid for cuda { order: sweep hybrid; }
schedule align_diagonal for cuda { order: sweep diagonal; }
schedule align_rows for cuda { order: sweep rows; }
schedule align_hybrid for cuda { order: sweep hybrid; }
schedule relax_diagonal for cuda { order: sweep diagonal; }
schedule relax_rows for cuda { order: sweep rows; }
schedule relax_hybrid for cuda { order: sweep hybrid; }

// Folds over cells that the order has reached: a chain of matrices, pairs of bases of a strand.
kernel matrix_chain(p: i32[n+1], out t: i32[n, n])
{
	wavefront t[i, j] = j > i ? min[k in i..j](t[i, k] + t[k+1, j] + p[i] * p[k+1] * p[j+1]) : 0
		from below;
}

kernel nussinov(q: i32[n], out t: i32[n, n])
{
	wavefront t[i, j] = j > i ? max(max[k in i..j](t[i, k] + t[k+1, j]),
		(j > i + 1 ? t[i+1, j-1] : 0) + (q[i] + q[j] == 3 ? 1 : 0)) : 0
			from below boundary 0;
}
