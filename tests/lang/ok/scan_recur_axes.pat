// Recurrences cut by everything that cuts, and along every axis.
kernel cut(x: f32[n], b: f32[n], h: bool[n], k: i8[n], c: i32, out w: f32[n],
	out v: f32[n], inout u: f32[n])
{
	scan w[i] = b[i] * w[i+1] + x[i] heads h;
	scan v[i] = max(v[i-1] + b[i], x[i]) keys k from -1;
	scan u[i] = b[i] * u[i-1] - 0.5 * u[i-2] + x[i] of c;
}
kernel rows(x: f32[m, n], b: f32[n], a: f32[m], out y: f32[m, n], out z: f32[m, n], out w: f32[m, n], out v: f32[m, n])
{
	scan y[i, j] = b[j] * y[i, j-1] + x[i, j];
	scan z[i, j] = b[j] * z[i-1, j] + x[i, j] from b[j];
	scan w[i, j] = a[i] * w[i, j+1] + x[i, j];
	scan v[i, j] = a[i] * v[i-1, j] - 0.25 * v[i-2, j] + x[i, j];
}
kernel deep(x: i32[l, m, n], b: i32[l, m, n], out y: i32[l, m, n], out z: i32[l, m, n])
{
	scan y[i, j, k] = b[i, j, k] * y[i, j-1, k] + x[i, j, k];
	scan z[i, j, k] = max(z[i+1, j, k] - 1, b[i, j, k]);
}
