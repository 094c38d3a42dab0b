// flow.pat - water flowing round an obstacle in two dimensions: the lattice Boltzmann method with
// nine velocities (D2Q9) and one relaxation rate (Bhatnagar, Gross and Krook), walls that throw
// back what hits them.
//
// The Makefile makes flow_soa.pat of this, where `layout soa` stands for `layout aos`: the nine
// numbers of a cell lie in nine planes then, and have the same bits, since the arithmetic is
// strict.

// How many particles of a cell go which way: rest, east, south, west, north, then the diagonals
// between.
struct Cell { f: f32[9] }

const EAST: f32[9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
const SOUTH: f32[9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
const WEIGHT: f32[9] = [4/9, 1/9, 1/9, 1/9, 1/9, 1/36, 1/36, 1/36, 1/36];

// Kinds of cells.  What flows in keeps its particles; what flows out is as its western neighbour.
const WATER: u8 = 0;
const WALL: u8 = 1;
const OUTLET: u8 = 3;     // and 2 is the inlet

fn density(c: Cell) -> f32 {
	var rho: f32 = 0;
	for k in 0..9 { rho += c.f[k]; }
	return rho;
}
fn eastward(c: Cell) -> f32 {
	var u: f32 = 0;
	for k in 0..9 { u += EAST[k] * c.f[k]; }
	return u / density(c);
}
fn southward(c: Cell) -> f32 {
	var v: f32 = 0;
	for k in 0..9 { v += SOUTH[k] * c.f[k]; }
	return v / density(c);
}
fn equilibrium(rho: f32, u: f32, v: f32) -> Cell {
	var c: Cell;
	for k in 0..9 {
		let along = 3 * (EAST[k] * u + SOUTH[k] * v);
		c.f[k] = WEIGHT[k] * rho * (1 + along + along * along / 2 - 1.5 * (u * u + v * v));
	}
	return c;
}
// push: what a force from the west adds to the velocity that the particles relax to.
fn collide(c: Cell, rate: f32, push: f32) -> Cell {
	let e = equilibrium(density(c), eastward(c) + push, southward(c));
	var r = c;
	for k in 0..9 { r.f[k] += rate * (e.f[k] - c.f[k]); }
	return r;
}
// What comes from a neighbour; from a wall comes back what went there.
fn comes(kind: u8, theirs: f32, mine: f32) -> f32 = kind == WALL ? mine : theirs;

kernel start(kind: u8[n, m], speed: f32, out c: Cell[n, m] layout aos)
{
	map c[i, j] = equilibrium(1, kind[i, j] == WALL ? 0 : speed, 0) strict;
}

kernel flow(kind: u8[n, m], rate: f32, push: f32, steps: i64, inout c: Cell[n, m] layout aos)
{
	let d: Cell[n, m];

	repeat t < steps {
		step: stencil d[i, j] = kind[i, j] == WATER ? collide(Cell([c[i, j].f[0],
				comes(kind[i, j-1], c[i, j-1].f[1], c[i, j].f[3]),
				comes(kind[i-1, j], c[i-1, j].f[2], c[i, j].f[4]),
				comes(kind[i, j+1], c[i, j+1].f[3], c[i, j].f[1]),
				comes(kind[i+1, j], c[i+1, j].f[4], c[i, j].f[2]),
				comes(kind[i-1, j-1], c[i-1, j-1].f[5], c[i, j].f[7]),
				comes(kind[i-1, j+1], c[i-1, j+1].f[6], c[i, j].f[8]),
				comes(kind[i+1, j+1], c[i+1, j+1].f[7], c[i, j].f[5]),
				comes(kind[i+1, j-1], c[i+1, j-1].f[8], c[i, j].f[6])]), rate, push)
			: kind[i, j] == OUTLET ? c[i, j-1] : c[i, j] boundary wrap strict;
		swap c, d;
	}
}

// The velocity, and how fast it turns: clockwise is positive, since rows go down.
kernel curl(kind: u8[n, m], c: Cell[n, m] layout aos,
            out u: f32[n, m], out v: f32[n, m], out turn: f32[n, m])
{
	map u[i, j] = kind[i, j] == WALL ? 0 : eastward(c[i, j]),
		v[i, j] = kind[i, j] == WALL ? 0 : southward(c[i, j]);
	stencil turn[i, j] = (v[i, j+1] - v[i, j-1] - u[i+1, j] + u[i-1, j]) / 2 boundary clamp;
}
