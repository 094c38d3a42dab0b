// Structs, arrays in them, constructors, fields as targets, a struct by value.
struct Atom { x, y, z, q: f32 }
struct Cell { f: f32[9], w: f32[3, 3], alive: bool }
fn shifted(a: Atom, by: f32) -> Atom = Atom(a.x + by, a.y + by, a.z, a.q);
fn norm(a: Atom) -> f32 {
	var b = a;
	b.x = b.x * b.x;
	b.x += b.y * b.y;
	return sqrt(b.x + b.z * b.z);
}
kernel atoms(origin: Atom, p: Atom[n], inout c: Cell[n], out r: Atom[n], out len: f32[n], out same: bool[n]) {
	map r[i] = shifted(p[i], origin.x);
	map r[i].q = 2 * p[i].q, r[i].z = r[i].q;
	map len[i] = norm(p[i]);
	map same[i] = r[i] == p[i];
	map c[i].f[3] = c[i].f[4] + c[i].w[1, 2];
	map c[i].f[k] *= 2 where c[i].alive;
	map c[i].w[a, b] = c[i].f[3 * a + b];
}
