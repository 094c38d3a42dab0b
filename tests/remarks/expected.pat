// patc -target=cuda --arch=sm_90a
// how much of its bound each statement is expected to reach, and what takes the rest
kernel fifth(x: f32[n], out y: f32[n]) {
	copied: map y[i] = x[i];
}

kernel apart(a: f32[n, 16], b: f32[n, m], out x: f32[n], out y: f32[m, n]) {
	column: gather x[i] = a[i, 2];
	turned: gather y[j, i] = b[i, j] + 1;
}

kernel far(x: f32[n], k: i64[n], out y: f32[n], inout h: i32[m]) {
	places: gather y[i] = x[k[i]];
	items: scatter h[k[i]] += 1;
}

kernel steps(x: f32[n], out y: f32[n]) {
	open: gather y[i] = x[i * i % n];
}

kernel near(a: f32[n, m], x: f32[n], out b: f32[n, m], out c: f32[n, m], out s: f32[n], out z: f32[n], out count: i64) {
	cross: stencil b[i, j] = a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j] boundary clamp;
	tile: stencil c[i, j] = a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j] boundary clamp;
	sums: scan s[i] = s[i-1] + x[i] from 0;
	some: compact z, count = x[i] where x[i] > 0;
}

schedule near for cuda { tile: stage shared; }

kernel busy(x: f64[n], u: u8[n], a: f16[n, m], b: f16[m, l], out y: f64[n], out v: u8[n], out c: f32[n, l]) {
	steps: map y[i] = exp(sin(x[i]));
	bytes: map v[i] = u8((u[i] + 7) * 3 / 5 + (u[i] & 15) * (u[i] >> 3) + (u[i] ^ 85));
	product: matmul c[i, j] = sum[k](f32(a[i, k]) * f32(b[k, j]));
}

kernel turned(a: i8[n, m], b: i8[m, l], out c: i32[n, l]) {
	across: matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
}

kernel small(x: f32[10000], out y: f32[10000], out t: f32) {
	few: map y[i] = 2 * x[i];
	sum: reduce t = sum[i](x[i]);
}

kernel unknown(a: f32[n, m], o: i64[k + 1], x: f32[n], inout key: u32[n], out p: f32[n, m], out r: f32[k], out s: f32[n], out q: f32[n]) {
	levels: wavefront p[i, j] = a[i, j] + p[i-1, j] + p[i, j-1] boundary (0);
	rows: reduce r[i] = sum[j in o[i]..o[i + 1]](x[j]);
	keys: sort key;
	second: scan s[i] = 0.5 * s[i-1] + 0.25 * s[i-2] + x[i];
	walk: map q[i] = root(x[i]);
}

fn root(a: f32) -> f32 {
	var r: f32 = a;
	while r * r > 2 * a { r = (r + a / r) / 2; }
	return r;
}

kernel loops(inout a: f32[n, m], inout b: f32[n, m], steps: i64) {
	repeat t < steps {
		stencil b[i, j] = a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j] boundary clamp;
		swap a, b;
	}
}

kernel system(a: f32[n, 3], d: f32[n], out x: f32[n]) {
	solve x[i] in a[i, 0] * x[i-1] + a[i, 1] * x[i] + a[i, 2] * x[i+1] = d[i] boundary 0;
}
