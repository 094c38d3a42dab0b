// What a fix leaves alone: a name that a label has, too; what is on two lines; comments; `^`, which binds otherwise elsewhere.
fn early(a: f32) -> f32 { return a; /* before: return 2; */ return 3; }
kernel label(x: f32[n], f: f32, out y: f32[n]) { f: let t: f32[n]; map t[i] = x[i] * f; map y[i] = t[i]; }
kernel powers(a: f32[n], out y: f32[n]) {
	map y[i] = 2.0 * a[i]
		^ 2;
	map y[i] = 2 * a[i] ^ 2 + 1;
}
