// Structs made with their arrays: flat, of two axes, of structs, nested, in functions and folds.
struct Cell { f: f32[9], on: bool }
struct V { x, y: f64 }
struct Deep { m: i32[2, 3], v: V[2], c: Cell, u: u8[1] }
struct Two { a: f32[2] }
fn cell(x: f32) -> Cell = Cell([x, x + 1, x + 2, x * x, -x, 0, 1, 2 * x, 0.5], x > 0);
fn turn(c: Cell) -> Cell {
	let r = Cell([c.f[1], c.f[2], c.f[3], c.f[4], c.f[5], c.f[6], c.f[7], c.f[8], c.f[0]], !c.on);
	return r.on ? r : cell(r.f[0]);
}
op both(a: Two, b: Two) -> Two = Two([a.a[0] + b.a[0], max(a.a[1], b.a[1])])
	identity Two([0, -inf]), associative, commutative;
kernel m1(x: f32[n], out c: Cell[n], out s: f32[n]) {
	map c[i] = turn(cell(x[i])), s[i] = Cell([x[i], 1, 2, 3, 4, 5, 6, 7, 8], false).f[0] + c[i].f[8];
}
kernel m2(x: f32[n, m], y: f64[n], out d: Deep[n, m]) {
	stencil d[i, j] = Deep([[1, i32(i), 3], [4, i32(j), i32(x[i, j+1])]], [V(y[i], 1), V(2, y[i-1])], cell(x[i, j]), [7])
		boundary clamp;
}
kernel m3(x: f32[n, m], out t: Two, out r: Two[n], out k: i64) {
	reduce t = both[i, j](Two([x[i, j], x[i, j]]));
	reduce r[i] = both[j](Two([abs(x[i, j]), -x[i, j]]));
	reduce k = count[i](r[i] == Two([0, -inf]));
}
kernel m4(inout c: Cell[n], steps: i32) {
	let d: Cell[n];
	repeat t < steps {
		stencil d[i] = Cell([c[i].f[0], c[i-1].f[1], c[i+1].f[2], c[i].f[4], c[i].f[3], 0, 0, 0, f32(t)], c[i].on) boundary wrap;
		swap c, d;
	}
}
struct Grid { p: V[2], f: f32[2, 3], u: u8[3] }
// Elements that data choose, of cells that data choose: they alone are read, and no struct lies in memory to be indexed.
kernel m5(g: Grid[n, m], k: i32[p], a: u16[p], out y: f32[p], out v: V[p], out u: u8[p, 3], out s: f64, out r: f32[p], out left: i64) {
	gather y[i] = g[k[i], a[i]].f[a[i] & 1, k[i]] drop;
	gather v[i] = g[k[i], 0].p[k[i] & 1] where m > 0 drop;
	gather u[i, j] = k[i] > 0 ? g[k[i], a[i]].u[2 - j] : 7 for i in 0..p, j in 0..3 drop;
	reduce s = sum[i](g[k[i], a[i]].p[a[i]].x) drop;
	compact r, left = g[k[i], a[i]].f[0, a[i]] where g[k[i], a[i]].u[a[i]] > 1 drop;
}
