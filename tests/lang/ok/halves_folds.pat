// f16 and bf16 in what folds give: structs, places, functions that the program brings keep the words
struct Best { v: f16, b: bf16, at: i32 }
op better(a: Best, b: Best) -> Best = a.v > b.v || b.v != b.v ? a : b.v > a.v || a.v != a.v ? b : a.at < b.at ? a : b
	identity Best(-inf, 0, 2147483647), associative, commutative;
kernel places(x: f16[m, n], b: bf16[n], out v: f16, out i1: i64, out i2: i64, out w: bf16, out at: i64, out r: i64[m])
{
	reduce v, i1, i2 = argmax[i, j](x[i, j]);
	reduce w, at = argmin[i](b[i]);
	reduce r[i] = argmin[j](x[i, j] * 2);
}
kernel best(x: f16[n], b: bf16[n], out s: Best)
{
	reduce s = better[i](Best(x[i], b[i], i32(i)));
}
kernel layouts(a: f16[m, n] layout col, p: Best[n] layout soa, b: bf16[m, n] layout row(ld), out c: f16[m, n] layout col,
	out q: Best[n] layout aosoa(8))
{
	map c[i, j] = f16(a[i, j] + f32(b[i, j]));
	map q[i].v = p[i].v, q[i].b = bf16(p[i].at), q[i].at = p[i].at;
}
kernel quick(x: f16[n], out y: f16[n])
{
	map y[i] = f16(sin(x[i])) approx;
}
