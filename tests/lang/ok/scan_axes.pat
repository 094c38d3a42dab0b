// Along every axis of arrays of rank 1 to 4, batched, with `for`, in loops, in place, in other layouts.
struct Pair { x, y: f32 }
op left(a: i32, b: i32) -> i32 = a != 0 ? a : b identity 0, associative;
op join(a: Pair, b: Pair) -> Pair = Pair(a.x * b.x, a.y * b.x + b.y) identity Pair(1, 0), associative;
kernel rank2(x: f32[m, n], out r: f32[m, n], out c: f32[m, n], out t: f32[n, m])
{
	scan r[i, j] = sum[j](x[i, j]);
	scan c[i, j] = sum[i](x[i, j]) from right exclusive;
	scan t[j, i] = max[j](x[i, j]), t[j, i] = t[j, i] + sum[j](x[i, j]);
}
kernel rank3(x: i32[l, m, n], v: i32[l, n], out a: i32[l, m, n], out b: i32[l, m, n], out c: i32[l, m, n])
{
	scan a[i, j, k] = left[i](x[i, j, k] % 3) from right;
	scan b[i, j, k] = sum[j](x[i, j, k]) from v[i, k] exclusive;
	scan c[i, j, k] = min[k](x[i, j, k]) from right from v[i, 0];
}
kernel rank4(x: u8[k, l, m, n], out a: u8[k, l, m, n], out b: i64[k, l, m, n])
{
	scan a[h, i, j, k_] = u8(sum[i](x[h, i, j, k_]));
	scan b[h, i, j, k_] = argmax[h](x[h, i, j, k_]) exclusive;
}
kernel cut_rows(x: f32[m, n], h: bool[m], k: i16[n], c: i32, out b: f32[m, n], out d: f32[m, n],
	out e: f32[m, n])
{
	scan b[i, j] = sum[i](x[i, j]) heads h from right;
	scan d[i, j] = max[j](x[i, j]) keys k exclusive;
	scan e[i, j] = sum[i](x[i, j]) of c from right exclusive;
}
kernel cut_columns(x: f32[m, n], off: u16[s], k: f32[m], inout a: f32[m, n], out b: f32[m, n])
{
	scan a[i, j] = sum[i](x[i, j]) segments off exclusive from 2;
	scan b[i, j] = prod[i](x[i, j]) keys k;
}
kernel parts(x: i32[m, n], inout a: i32[m, n], inout b: i32[m, n], inout c: i32[n])
{
	scan a[i, j] = sum[j](x[i, j]) for i in 0..m, j in 1..n - 1;
	scan b[i, j] = sum[i](x[i, j]) from right for i in 2..m, j in 0..n;
	scan c[j] = max(x[0, j]) for j in (m > 0 ? 0 : n)..n;
}
kernel inside(inout x: f32[m, n], inout y: i32[n], steps: i32)
{
	repeat t < steps {
		scan x[i, j] = 0.5 * sum[j](x[i, j]) exclusive;
		scan x[i, j] = max[i](x[i, j]) - 0.25 * x[i, j] from right;
		scan y[i] += sum(y[i]) from 3;
	}
}
kernel laid_out(x: f32[m, n] layout col, y: Pair[n] layout soa, z: Pair[m, n] layout aosoa(4), w: f32[m, n] layout row(ld),
	out a: f32[m, n] layout col, out b: Pair[n] layout soa, out c: Pair[m, n] layout col soa, out d: f32[m, n] layout col(lc))
{
	scan a[i, j] = sum[j](x[i, j]) from right;
	scan b[i] = join(y[i]) exclusive;
	scan c[i, j] = join[i](z[i, j]);
	scan d[i, j] = sum[i](w[i, j] + x[i, j]);
}
kernel fields(x: Pair[n], inout y: Pair[n], out z: f32[n])
{
	scan y[i].x = sum(x[i].y), z[i] = max(x[i].x * x[i].y);
}
kernel others(x: f32[n], z: f32[n], a: f32, out p: f32[n], out q: f32[n], out r: f32[n], out s: f32)
{
	let u: f32[n];
	map u[i] = a * x[i] + z[i];
	scan p[i] = sum(u[i]) / (1 + abs(z[i]));
	map q[i] = p[i] - u[i];
	scan r[i] = sum(q[i] * q[i]);
	reduce s = max[i](r[i]);
}
kernel elsewhere(x: f32[n], out p: f32[n], out q: f32[n])
{
	scan p[i] = sum(x[n - 1 - i]);
	scan q[i] = sum(i > 0 ? x[i] - x[i - 1] : x[i]);
}
kernel backwards(x: f32[n], out p: f32[n])
{
	scan p[n - 1 - i] = sum(x[i]) exclusive;
}
