// large.pat - the kernels large.cu runs on shapes beyond 2^31.  Integers where equality is asked for.
kernel saxpy(a: f32, x: f32[n], inout y: f32[n])
{
	map y[i] = a * x[i] + y[i];
}

kernel octets(x: u8[n], out y: u8[n])
{
	map y[i] = u8(3 * x[i] + 1);
}

kernel words(x: i64[n], out y: i64[n])
{
	map y[i] = x[i] ^ i;
}

kernel every_third(x: u8[n], inout y: u8[n])
{
	map y[i] = x[i] where i % 3 == 1;
}

kernel total(x: i32[n], out s: i32)
{
	reduce s = sum[i](x[i]);
}

kernel total_bytes(x: u8[n], out s: i64)
{
	reduce s = sum[i](i64(x[i]));
}

kernel total_f32(x: f32[n], out s: f32)
{
	reduce s = sum[i](x[i]);
}

kernel dot(x: f32[n], y: f32[n], out s: f64)
{
	reduce s = sum[i](f64(x[i]) * f64(y[i]));
}

kernel extremes(x: i32[n], out lo: i32, out hi: i32)
{
	reduce lo = min[i](x[i]), hi = max[i](x[i]);
}

kernel rows(a: i32[n, m], out s: i32[n])
{
	reduce s[i] = sum[j](a[i, j]);
}

kernel columns(a: i32[n, m], out s: i32[m])
{
	reduce s[j] = max[i](a[i, j]);
}

kernel clamped(a: i32[n, m], out b: i32[n, m])
{
	stencil b[i, j] = 2 * a[i, j] + a[i-1, j] + 3 * a[i+1, j] + 5 * a[i, j-1] + 7 * a[i, j+1] boundary clamp;
}

kernel wrapped(a: i32[n, m], out b: i32[n, m])
{
	stencil b[i, j] = 2 * a[i, j] + a[i-1, j] + 3 * a[i+1, j] + 5 * a[i, j-1] + 7 * a[i, j+1] boundary wrap;
}

kernel mirrored(a: i32[n, m], out b: i32[n, m])
{
	stencil b[i, j] = 2 * a[i, j] + a[i-1, j] + 3 * a[i+1, j] + 5 * a[i, j-1] + 7 * a[i, j+1] boundary mirror;
}

kernel reflected(a: i32[n, m], out b: i32[n, m])
{
	stencil b[i, j] = 2 * a[i, j] + a[i-1, j] + 3 * a[i+1, j] + 5 * a[i, j-1] + 7 * a[i, j+1] boundary reflect;
}

kernel valued(a: i32[n, m], out b: i32[n, m])
{
	stencil b[i, j] = 2 * a[i, j] + a[i-1, j] + 3 * a[i+1, j] + 5 * a[i, j-1] + 7 * a[i, j+1] boundary constant 11;
}

kernel kept(a: i32[n, m], inout b: i32[n, m])
{
	stencil b[i, j] = 2 * a[i, j] + a[i-1, j] + 3 * a[i+1, j] + 5 * a[i, j-1] + 7 * a[i, j+1] boundary keep;
}

kernel shared(a: i32[n, m], out b: i32[n, m])
{
	step: stencil b[i, j] = 2 * a[i, j] + a[i-1, j] + 3 * a[i+1, j] + 5 * a[i, j-1] + 7 * a[i, j+1] boundary wrap;
}

kernel cube(a: u8[l, n, m], out b: u8[l, n, m])
{
	stencil b[i, j, k] = u8(2 * a[i, j, k] + a[i-1, j, k] + 3 * a[i+1, j, k] + 5 * a[i, j-1, k]
		+ 7 * a[i, j+1, k] + 11 * a[i, j, k-1] + 13 * a[i, j, k+1]) boundary (wrap, clamp, reflect);
}

kernel change(a: i32[n, m], out b: i32[n, m], out most: i32)
{
	stencil b[i, j] = (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) / 4 boundary clamp;
	reduce most = max[i, j](abs(b[i, j] - a[i, j]));
}

// The distance of every cell from the sources, in steps; ends one step after nothing changes any more.
kernel distance(inout d: i32[n, m], limit: i64, out steps: i32, out changed: i32)
{
	let e: i32[n, m];

	map steps = 0;
	repeat until changed == 0 at most limit {
		stencil e[i, j] = min(d[i, j], 1 + min(min(d[i-1, j], d[i+1, j]), min(d[i, j-1], d[i, j+1]))) boundary clamp;
		reduce changed = sum[i, j](e[i, j] == d[i, j] ? 0 : 1);
		map steps = steps + 1;
		swap d, e;
	}
}

schedule shared for cuda { step: stage shared; }
