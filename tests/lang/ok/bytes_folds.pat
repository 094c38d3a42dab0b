// f8e4m3 and f8e5m2 in the other patterns: keys, places, running folds, shared cells, layouts
struct Best { v: f8e4m3, b: f8e5m2, at: i32 }
op better(a: Best, b: Best) -> Best = a.v > b.v || b.v != b.v ? a : b.v > a.v || a.v != a.v ? b : a.at < b.at ? a : b
	identity Best(-448, 0, 2147483647), associative, commutative;
kernel places(x: f8e4m3[m, n], b: f8e5m2[n], out v: f8e4m3, out i1: i64, out i2: i64, out w: f8e5m2, out at: i64, out r: i64[m])
{
	reduce v, i1, i2 = argmax[i, j](x[i, j]);
	reduce w, at = argmin[i](b[i]);
	reduce r[i] = argmin[j](x[i, j] * 2);
}
kernel best(x: f8e4m3[n], b: f8e5m2[n], out s: Best)
{
	reduce s = better[i](Best(x[i], b[i], i32(i)));
}
kernel layouts(a: f8e4m3[m, n] layout col, p: Best[n] layout soa, b: f8e5m2[m, n] layout row(ld), out c: f8e4m3[n, m],
	out q: Best[n] layout aosoa(8), out d: f8e5m2[n, m] layout col)
{
	transpose c[j, i] = a[i, j];
	map q[i].v = p[i].v, q[i].b = f8e5m2(p[i].at), q[i].at = p[i].at;
	transpose d[j, i] = f8e5m2(b[i, j] * 2);
}
kernel sorted(inout a: f8e4m3[n], inout b: f8e5m2[n], inout c: f8e4m3[n], inout w: i32[n])
{
	sort a;
	sort b by >;
	sort c with w by <;
}
kernel sorted_rows(inout a: f8e4m3[m, 40], inout b: f8e5m2[m, n])
{
	segsort a of 40 by >;
	segsort b of n;
}
kernel chosen(x: f8e5m2[n], k: i64, out v: f8e5m2, out y: f8e5m2[n], out z: f8e4m3[n], out c: i64)
{
	reduce v = kth[i](x[i], k);
	compact y = x[i] where x[i] > 0;
	compact z = f8e4m3(x[i]) where x[i] < 1;
	reduce c = count[i](x[i] == 0);
}
kernel running(x: f8e4m3[n], k: f8e5m2[n], out p: f8e4m3[n], out hi: f8e4m3[n], out q: f32[n], out y: f8e5m2[n])
{
	scan p[i] = f8e4m3(sum(x[i]));
	scan hi[i] = max(x[i]);
	scan q[i] = sum(f32(x[i])) keys k;
	scan y[i] = f8e5m2(0.75 * y[i-1] + f32(x[i]));
}
kernel front(p: f8e4m3[m, n], out t: f8e4m3[m, n])
{
	wavefront t[i, j] = f8e4m3(max(t[i-1, j], t[i, j-1]) * 0.5 + p[i, j]) boundary 0;
}
kernel shared(x: f8e4m3[n], k: u8[n], inout top: f8e4m3[256], inout low: f8e5m2[256], inout h: i32[16])
{
	scatter top[k[i]] max= x[i];
	scatter low[k[i]] min= f8e5m2(x[i]);
	histogram h[k[i] % 16] += 1;
}
kernel through(x: f8e4m3[n], at: i32[m], out y: f8e4m3[m], out s: f32)
{
	gather y[i] = x[at[i]];
	reduce s = sum[i](y[i] * y[i]);
}
kernel product(a: f8e4m3[n, l], b: f8e4m3[l, m], c: f8e5m2[l, m], out p: f32[n, m], out q: f32[n, m], out r: f8e4m3[n, m])
{
	matmul p[i, j] = sum[k](a[i, k] * b[k, j]);
	matmul q[i, j] = sum[k](f32(a[i, k]) * f32(c[k, j]));
	matmul r[i, j] = f8e4m3(max(0, sum[k](a[i, k] * b[k, j])));
}
kernel quick(x: f8e4m3[n], out y: f8e4m3[n])
{
	map y[i] = f8e4m3(sin(x[i])) approx;
}
kernel quantise(x: f32[n, m], out q: f8e4m3[n, m], out scale: f32[n])
{
	reduce scale[i] = max[j](abs(x[i, j]));
	map q[i, j] = f8e4m3(scale[i] > 0 ? x[i, j] * (448 / scale[i]) : 0);
}
