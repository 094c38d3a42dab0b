kernel f(x: i32[m, n], inout a: i32[m, n], out b: i32[l, m, n], inout c: i32[l, m, n], top: i32[n], out d: i32[l, m, n]) {
	single: wavefront a[i, j] = a[i-1, j] + x[i, j] boundary 0;
	waits: wavefront b[k, i, j] = b[k-1, i, j] + b[k, i-1, j] boundary 0;
	far: wavefront b[k, i, j] = b[k, i-2, j] + b[k, i, j-1] boundary 0;
	old: wavefront c[k, i, j] = c[k, i+1, j] + c[k, i, j-1] boundary 0;
	edged: wavefront d[k, i, j] = d[k, i-1, j] + d[k, i, j-1] boundary (j >= 0 ? top[j] : 0);
	masked: wavefront c[k, i, j] = c[k, i-1, j] + c[k, i, j-1] boundary 0 where x[i, j] > 0;
	leans: wavefront c[k, i, j] = c[k, i-1, j] + c[k, i, j-1] boundary 0 for k in 0..l, i in 0..m, j in 0..min(i, n);
}
schedule f for cuda {
	single: sweep batch; waits: sweep batch; far: sweep batch;
	old: sweep batch; edged: sweep batch; masked: sweep batch; leans: sweep batch;
}
