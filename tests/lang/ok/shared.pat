// What a kernel would compute twice, or in every pass of a loop: cse and hoist change no result, and read nothing early.
struct Pair { a, b: f32 }
fn gauss(x: f32) -> f32 = exp(-x * x);
fn steps(n: i32) -> i32 {
	var k = 0i32;
	var m = abs(n % 64);
	while m > 1 { m = m % 2 == 0 ? m / 2 : 3 * m + 1; k += 1; if k > 200 { break; } }
	return k;
}
fn turned(p: Pair, by: f32) -> Pair = Pair(p.b * by, p.a / by);

kernel cells(x: f32[n], q: i32[n], p: Pair[n], inout y: f32[n], out z: f32[n], out k: i32[n], inout w: f32[n], out r: Pair[n])
{
	map z[i] = gauss(x[i]) * sqrt(abs(x[i])) + gauss(x[i]) / (1 + sqrt(abs(x[i]))) + (x[i] > 0 ? exp(x[i]) : 0)
		+ (x[i] > 1 ? exp(x[i]) : gauss(x[i]));
	map k[i] = q[i] / (q[i] % 7) + steps(q[i]) * (q[i] % 7) + (steps(q[i]) > 3 && q[i] / (q[i] % 7) > 2 ? steps(q[i] + 1) : steps(q[i] + 1) / 2);
	// a later equation sees the new value: equal text, other value
	map y[i] = gauss(y[i]) + 1, w[i] = gauss(y[i]) + gauss(w[i]), y[i] = gauss(y[i]) + gauss(w[i]);
	map w[i] = gauss(w[i]) + gauss(x[i]) where gauss(x[i]) > 0.5 && gauss(w[i]) < 0.75;
	map r[i] = turned(turned(p[i], gauss(x[i])), gauss(x[i])), z[i] = turned(p[i], gauss(x[i])).a;
}
kernel folds(a: f32[n], b: f32[m], c: f32[n, m], d: i32[m], s: f32, out x: f32[n], out y: f32[n], out z: f32[n], out w: i32[n],
	out t: f32, out u: f32)
{
	reduce x[i] = sum[k](a[i] * b[k] * gauss(a[i]) + c[i, k] / (2 + s));
	reduce y[i] = sum[k](a[i] * b[k] * gauss(a[i])) * gauss(a[i]) + max[k where b[k] > a[i] / 3](sqrt(abs(a[i])) - b[k]);
	// without a term nothing is read: b may have no cell 0, and then no other either
	reduce z[i] = sum[k](b[0] * c[i, k]) + sum[k in 0..m, l in 0..k](gauss(b[0]) * b[l] * gauss(b[k])) for i in 0..min(n, 9);
	reduce w[i] = sum[k](steps(i32(i)) * (d[k] / (1 + i32(i)))) for i in 0..min(n, 70);
	reduce t = sum[k](gauss(s) * b[k] + gauss(b[k]) * sqrt(gauss(b[k])));
	map u = gauss(t) * t + gauss(t);
	reduce t = sum[k](gauss(u) * b[k]);
}
kernel edges(a: f32[n, m], out b: f32[n, m], out c: f32[n, m], out d: f32[n, m]) {
	stencil b[i, j] = sqrt(abs(a[i-1, j] * a[i, j-1])) * (a[i, j] + a[i+1, j+1] * sqrt(abs(a[i-1, j] * a[i, j-1]))) boundary clamp;
	stencil c[i, j] = sum[p in -1..2, q in -1..2](gauss(a[i, j]) * a[i+p, j+q]) / (1 + gauss(a[i, j])) boundary (mirror, reflect);
	stencil d[i, j] = gauss(a[i-1, j-1]) + gauss(a[i-1, j+1]) * gauss(a[i-1, j-1]) boundary (gauss(f32(i)) + gauss(f32(i)) * f32(j));
}
