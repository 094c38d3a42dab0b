// fuse_rows_more.pat - rows shared by statements of unusual make: structs, masks, offsets, loops.
struct P { x, y: f32, k: i16 }
struct Q { a, b: f64 }
op far(a: Q, b: Q) -> Q = a.a > b.a ? a : b.a > a.a ? b : Q(a.a, max(a.b, b.b))
        identity Q(-inf, -inf), associative;
kernel structs(p: P[n, m], inout q: P[n, m], out big: f32[n])
{
	let t: P[n];
	let s: f32[n];
	let h: bf16[n];
	reduce t[i].x = sum[j](p[i, j].x), t[i].y = max[j](p[i, j].y);
	reduce s[i] = max[j](p[i, j].x * t[i].y + q[i, j].x);
	map h[i] = bf16(s[i] * 2);
	map q[i, j].x = p[i, j].x - t[i].x + h[i] where p[i, j].y > s[i];
	map big[i] = s[i] + q[i, 0].x for i in 0..0;
	map big[i] = s[i] + h[i];
}
kernel ops(x: f64[n, m], out y: f64[n, m])
{
	let b: Q[n];
	let c: i64[n];
	reduce b[i] = far[j](Q(x[i, j], j));
	reduce c[i] = count[j](x[i, j] < b[i].b);
	map y[i, j] = x[i, j] * b[i].a + c[i];
}
kernel until_loop(inout x: f32[n, m], out s: f32)
{
	let top: f32[n];
	let d: f32[n, m];
	repeat until s < 2 at most 3 {
		reduce top[i] = max[j](abs(x[i, j]));
		map d[i, j] = x[i, j] / (top[i] + 1);
		reduce s = max[i, j](abs(d[i, j]));
		swap x, d;
	}
}
kernel masked(x: i32[n, m], inout y: i32[n, m], k: i32)
{
	let t: i32[n];
	let u: i32[n];
	reduce t[i] = min[j where x[i, j] > 3](x[i, j]);
	map t[i] = t[i] + 1 where t[i] > k;
	reduce u[i] = sum[j](x[i, j] - t[i]);
	map u[i] += t[i] where u[i] % 2 == 0;
	map y[i, j] = y[i, j] + u[i], y[i, j] = y[i, j] * t[i] where (i + j) % 3 != 1;
}
kernel three(x: f32[k, l, n, 3], out y: f32[k, l, n, 3], z: f32[k, n])
{
	let r: f32[k, l, n];
	reduce r[a, b, c] = sum[j](x[a, b, c, j] * z[a, c]);
	map y[a, b, c, j] = x[a, b, c, j] / (abs(r[a, b, c]) + 1) + j;
}
kernel offset(x: f64[n+2, m+3], out y: f64[n, m], out e: f64[n])
{
	let r: f64[n];
	reduce r[i] = sum[j in 0..m](x[i+1, j+2] * x[i, m - j]);
	map y[i, j] = r[i] + j;
	map e[i] = r[i];
}
// Three arrays are held: rows of 516 cells have several warps, of 32 lanes and of 64.
kernel tall(x: f32[n, m], w: f32[n, m], out y: f32[n, m], out t: f32[n]) {
	let s: f32[n];
	let d: f32[n, m];
	reduce s[i] = sum[j](x[i, j] * w[i, j]);
	map d[i, j] = x[i, j] - s[i];
	reduce t[i] = max[j](d[i, j] * w[i, j]);
	map y[i, j] = d[i, j] * w[i, j] - t[i] * x[i, j];
}
// What is held is read by a map first.
kernel mapped(x: i32[n, m], w: i32[m], out d: i32[n, m], out t: i32[n]) {
	let e: i32[n, m];
	map e[i, j] = x[i, j] >> 1, d[i, j] = x[i, j] + e[i, j];
	reduce t[i] = sum[k](e[i, k] * w[k] + x[i, k]);
}
// What wants registers beside the row that is held: masks of several steps, the jumps of any, weights in several folds, three
// indices of a row.
kernel jumps(x: u32[a, b, m], w: u8[a, b, m], out z: u32[a, b], out s: u32[a, b]) {
	let r: bool[a, b];
	reduce r[i, j] = any[k](x[i, j, k] * 3 > 3);
	reduce z[i, j] = sum[k in 0..m where k % 3 != 1](x[i, j, k]);
	reduce s[i, j] = sum[k](u32(w[i, j, k]) + z[i, j]) + (r[i, j] ? 1 : 0);
}
kernel weights(x: f32[a, m], w: i32[a, m], g: i32[m], out top: i32[a], out sum_: i32[a], out t: i32[a], out u: i32[a], out v: i32[a]) {
	reduce top[i] = max[k](g[k]), sum_[i] = sum[k](i32(x[i, k]));
	map t[i] = sum_[i] + 2;
	reduce u[i] = max[k](w[i, k] * t[i]), v[i] = max[k](w[i, k] - t[i] - top[i]) + max[k](min(i32(x[i, k]) * g[k], 4));
}
kernel deep(x: i32[a, b, c, m], out r: i32[a, b, c], out y: i32[a, b, c, m]) {
	reduce r[i, j, k] = max[e](x[i, j, k, e]) + max[e](min((x[i, j, k, e] + 3) * x[i, j, k, e], 4));
	map y[i, j, k, e] = x[i, j, k, e] - r[i, j, k];
}
kernel columns(x: f32[n, m], out y: f32[n, m]) {
	let top: f32[m];
	let total: f32[m];
	reduce top[j] = max[i](x[i, j]);
	reduce total[j] = sum[i](exp(x[i, j] - top[j]));
	map y[i, j] = exp(x[i, j] - top[j]) / total[j];
}
