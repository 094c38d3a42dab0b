// One flow, however its cells lie: check.sh makes a kernel of the text below for every layout.
struct Cell { f: f32[9] }
const W: f32[9] = [0.4444444, 0.1111111, 0.1111111, 0.1111111, 0.1111111, 0.0277778, 0.0277778, 0.0277778, 0.0277778];
fn relaxed(c: Cell, omega: f32) -> Cell {
	var r = c;
	var rho: f32 = 0;
	for k in 0..9 { rho += c.f[k]; }
	let u = (c.f[1] - c.f[3] + c.f[5] - c.f[6] - c.f[7] + c.f[8]) / rho;
	let v = (c.f[2] - c.f[4] + c.f[5] + c.f[6] - c.f[7] - c.f[8]) / rho;
	for k in 0..9 { r.f[k] = c.f[k] + omega * (W[k] * rho * (1 - 1.5 * (u * u + v * v)) - c.f[k]); }
	return r;
}
kernel lattice_NAME(steps: i32, inout g: Cell[n, m] layout LAYOUT) {
	let t: Cell[n, m];
	repeat k < steps {
		stencil t[i, j].f[0] = g[i, j].f[0], t[i, j].f[1] = g[i-1, j].f[1], t[i, j].f[2] = g[i, j-1].f[2],
		        t[i, j].f[3] = g[i+1, j].f[3], t[i, j].f[4] = g[i, j+1].f[4], t[i, j].f[5] = g[i-1, j-1].f[5],
		        t[i, j].f[6] = g[i+1, j-1].f[6], t[i, j].f[7] = g[i+1, j+1].f[7], t[i, j].f[8] = g[i-1, j+1].f[8]
		        boundary wrap;
		map t[i, j] = relaxed(t[i, j], 0.75) where i != j;
		swap g, t;
	}
}
