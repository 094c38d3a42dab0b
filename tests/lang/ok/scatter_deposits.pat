// Items of a few values of several indices, at places that data give: bodies spread over cells.
fn near(d: f32) -> f32 = max(0, 1.5 - abs(d));
struct Cell { n: i32, w: f64 }
op join(a: Cell, b: Cell) -> Cell = Cell(a.n + b.n, a.w + b.w) identity Cell(0, 0), associative, commutative;

kernel plane(x: f32[n], y: f32[n], q: f32[n], inout rho: f32[h, w]) {
	scatter rho[i32(x[p]) + a, i32(y[p]) + b] += q[p] * near(x[p] - f32(i32(x[p]) + a)) * near(y[p] - f32(i32(y[p]) + b))
		for p in 0..n, a in -1..2, b in -1..2;
}
kernel space(x: i32[n], y: i32[n], z: i32[n], inout rho: i32[h, w, l], inout least: f64[l]) {
	scatter rho[x[p] + a, y[p] + b, z[p] - c] += i32(a + 2*b + 4*c) drop for p in 0..n, a in 0..2, b in 0..2, c in 0..2;
	scatter least[z[p] + b] min= f64(x[p] + a) where (x[p] + a) % 3 != 1 for p in 2..n, a in -1..3, b in 0..2;
}
kernel rows(k: i32[n, m], at: i32[n], inout t: u32[c], inout d: Cell[c], inout f: u8[c, 3, 2]) {
	scatter t[k[i, j] + a] ^= u32(i + 8*a), t[k[i, j] + b] ^= u32(b + i) for i in 0..n, j in 0..m, a in 0..3, b in 2..5;
	scatter d[k[i, j] + a + b] join= Cell(i32(a), f64(b)) drop for i in 0..n, j in 0..m, a in 0..2, b in 0..2;
	scatter f[at[i], a, b] = u8(i + a + b) unique for i in 0..n, a in 0..3, b in 0..2;
}
kernel counted(k: u8[n], inout h: i64[32], inout g: i32[n]) {
	histogram h[i64(k[i]) % 16 + a + b] += i64(1) for i in 0..n, a in 0..3, b in 0..5;
	repeat t < 2 {
		scatter g[i64(k[i]) + a - b + t] max= i32(i + t) drop for i in 0..n, a in 0..3, b in 0..2;
	}
}
test of_bodies {
	plane(x = [1.25], y = [0], q = [2], rho = [[0, 0], [0, 0], [0, 0]]) -> rho = [[0.75, 0.25], [3.75, 1.25], [2.25, 0.75]] status index;
	space(x = [0, 0, 1], y = [0, 0, 0], z = [1, 1, 1], rho = 0, h = 2, w = 2, least = [9, 9, 9])
		-> least = [9, 0, 0];
}
