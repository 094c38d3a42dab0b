// patc --target=cuda
// Statements over the same cells that become one, and why others do not.
struct Wide { f: f64[12] }
fn both(a: Wide, b: Wide) -> Wide {
	var c: Wide = a;
	for k in 0..12 {
		c.f[k] = a.f[k] + b.f[k];
	}
	return c;
}
op plus(a: Wide, b: Wide) -> Wide = both(a, b) identity Wide([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), associative, commutative;
kernel joined(x: f32[n], out y: f32[n], out z: f32[n], out s: f32, out m: f32) {
	first: map y[i] = x[i] * 2;
	second: map z[j] = x[j] + y[j];
	total: reduce s = sum[i](x[i]);
	most: reduce m = max[k](x[k]);
}
kernel between(x: f32[n], inout y: f32[n], inout z: f32[n], inout w: f32[n], inout v: f32[n]) {
	first: map y[i] = x[i] * 2;
	changed: stencil w[i] = y[i+1] boundary clamp;
	late: map w[i] = w[i] * x[i];
	used: stencil z[i] = v[i+1] boundary clamp;
	over: map v[i] = x[i];
	neighbours: stencil v[i] = x[i] + z[i-1] boundary clamp;
}
kernel looped(x: f32[n], inout y: f32[n], inout z: f32[n], steps: i32) {
	first: map y[i] = x[i] * 2;
	repeat step < steps {
		map y[i] = x[i] + y[i];
	}
	after: map z[i] = x[i] + 1;
}
kernel folds(x: f32[n], p: Wide[n], q: Wide[n], row: i32[m+1], v: f32[k], out a: f32, out b: f32, out c: Wide, out d: Wide, out s: f32[m], out t: f32[m], out e: f32) {
	all_of: reduce a = sum[i](x[i]);
	part: reduce b = sum[i in 1..n](x[i]);
	wide: reduce c = plus[i](p[i]);
	wider: reduce d = plus[i](both(p[i], q[i]));
	ragged: reduce s[r] = sum[l in row[r]..row[r+1]](v[l]);
	centred: reduce t[r] = sum[l in row[r]..row[r+1]](v[l] - s[r]);
	uses: reduce e = sum[i](x[i] - a);
}
kernel ways(x: f32[n], a: f32[n], out y: f32[n], out z: f32[n], out w: f32[n], out t: f32[n, 9], out u: f32[n], out o: f32[n]) {
	near: stencil y[i] = x[i-1] boundary clamp;
	round_about: stencil z[i] = x[i+1] boundary wrap;
	loosely: map u[i] = a[i];
	strictly: map w[i] = a[i] + x[i] strict;
	pinned: map o[i] = a[i] * 3;
}
schedule ways for cuda { pinned: coarsen 2; }
kernel many(x: f32[n], out y: f32[n], out a: f32[n], out b: f32[n], out c: f32[n], out d: f32[n], out e: f32[n], out f: f32[n], out g: f32[n], out h: f32[n]) {
	seven: map a[i] = x[i], b[i] = x[i], c[i] = x[i], d[i] = x[i], e[i] = x[i], f[i] = x[i], g[i] = x[i];
	two: map y[i] = x[i] / 2, h[i] = x[i];
}
kernel large(x: f32[n], out y: f32[n], out z: f32[n]) {
	once: map y[i] = (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * (x[i] + x[i] * x[i]))))))))))))))))))))))))));
	twice: map z[i] = (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * (x[i] - x[i] * x[i]))))))))))))))))))))))))));
}
struct Long { f: f32[20] }
kernel chips(p: Long[n], out q: Long[n], out r: Long[n]) {
	straight: map q[i] = p[i];
	again: map r[i] = p[i];
}
