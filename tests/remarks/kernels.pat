// patc -target=cuda --no-pass=vectorise --no-pass=stage
// how the kernels of a GPU access memory, and what data decide
struct Point { x: f32, y: f32, z: f32 }

kernel lines(x: f32[n], a: f32[n, m], w: f32[n], out y: f32[n], out b: f32[n, m]) {
	turned: gather y[i] = x[n - 1 - i];
	scaled: map b[i, j] = w[i] * a[i, j];
}

kernel apart(p: Point[n], a: f32[n, 4], out x: f32[n], out s: f32[n], out t: f32[n]) {
	field: map x[i] = p[i].x;
	all_of: map s[i] = p[i].x + p[i].y + p[i].z;
	column: gather t[i] = a[i, 2];
}

kernel alone(p: Point[n], out x: f32[n]) {
	field: map x[i] = p[i].x;
}

kernel far(x: f32[n], k: i64[n], out y: f32[n], inout h: i32[m]) {
	any: gather y[i] = x[k[i]];
	meet: scatter h[k[i]] += 1;
}

kernel depends(x: f32[n], out y: f32[n]) {
	roots: map y[i] = root(x[i]);
}

fn root(a: f32) -> f32 {
	var r: f32 = a;
	while r * r > 2 * a { r = (r + a / r) / 2; }
	return r;
}
