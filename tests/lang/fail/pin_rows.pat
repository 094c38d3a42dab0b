// what keeps rows from being scans
kernel f(p: i32[m, n], k: i32[m], x: f32[m, n], v: i32[w], inout a: i32[m, n], inout b: i32[m, n], out c: f32[m, n],
         out d: i32[m, n], out e: i32[m, n], out g: i32[m, n], out h: i32[m, n], inout t: i32[m, m]) {
	masked: wavefront a[i, j] = p[i, j] + a[i, j-1] boundary 0 where p[i, j] > 0;
	wide: wavefront a[i, j] = p[i, j] + a[i, j-1] + a[i, j-3] boundary 0;
	late: wavefront a[i, j] = p[i, j] + a[i, j-1] + b[i, j-1], b[i, j] = a[i, j] + b[i-1, j] boundary 0;
	early: wavefront a[i, j] = p[i, j] + a[i, j-1], b[i, j] = a[i, j+1] + b[i-1, j] boundary 0;
	lawless: wavefront d[i, j] = p[i, j] + d[i-1, j] / 2 + d[i, j-1] / 2 boundary 0;
	exact: wavefront c[i, j] = x[i, j] + c[i-1, j] + c[i, j-1] strict boundary 0;
	looked: wavefront e[i, j] = v[p[i, j]] + e[i, j-1] + e[i-1, j] boundary 0;
	triangle: wavefront t[i, j] = t[i, j-1] + k[i] + t[i-1, j] for i in 0..m, j in 0..i+1 boundary 0;
	both: wavefront h[i, j] = max(max(h[i, j-1], h[i, j-2]), p[i, j] + h[i-1, j]) boundary 0;
	copies: wavefront g[i, j] = g[i, j-1] boundary (i + j < 0 ? 1 : 2);
}
schedule f for cuda { masked: sweep rows; wide: sweep rows; late: sweep rows; early: sweep rows; lawless: sweep rows;
	exact: sweep rows; looked: sweep hybrid; triangle: sweep hybrid; both: sweep rows; copies: sweep hybrid; }
