// Euler's equations on a mesh of cells with four sides each, by steps of Runge and Kutta; side[e, k] is the neighbour, -1
// at the body and -2 far out, where the state is ff
const GAMMA: f32 = 1.4;
struct State { rho, mx, my, mz, e: f32 }
fn add(a: State, b: State, w: f32) -> State =
	State(a.rho + w * b.rho, a.mx + w * b.mx, a.my + w * b.my, a.mz + w * b.mz, a.e + w * b.e);
fn pressure(s: State) -> f32 =
	(GAMMA - 1) * (s.e - 0.5 * (s.mx * s.mx + s.my * s.my + s.mz * s.mz) / s.rho);
fn speed(s: State) -> f32 = sqrt(s.mx * s.mx + s.my * s.my + s.mz * s.mz) / s.rho;
fn sound(s: State) -> f32 = sqrt(GAMMA * pressure(s) / s.rho);

// what flows through a side with the normal n, per unit of it
fn flow(s: State, nx: f32, ny: f32, nz: f32) -> State {
	let p = pressure(s);
	let through = (s.mx * nx + s.my * ny + s.mz * nz) / s.rho;
	return State(s.rho * through, s.mx * through + p * nx, s.my * through + p * ny,
		s.mz * through + p * nz,
		(s.e + p) * through);
}
// through one side of a cell, whose state is s; at the body only pressure acts
fn side_flux(s: State, other: State, kind: i32, nx: f32, ny: f32, nz: f32) -> State {
	if kind == -1 {
		let p = pressure(s);
		return State(0, p * nx, p * ny, p * nz, 0);
	}
	let size = 0.2 * 0.5 * sqrt(nx * nx + ny * ny + nz * nz)
		* (speed(s) + speed(other) + sound(s) + sound(other));
	let mean = add(flow(s, nx, ny, nz), flow(other, nx, ny, nz), 1);
	let differs = add(s, other, -1);
	return add(State(0.5 * mean.rho, 0.5 * mean.mx, 0.5 * mean.my, 0.5 * mean.mz, 0.5 * mean.e),
		differs, size);
}
fn state(rho: f32, mx: f32, my: f32, mz: f32, e: f32) -> State = State(rho, mx, my, mz, e);

kernel cfd(iterations: i64, areas: f32[nel], side: i32[nel, 4], normal: f32[nel, 4, 3], ff: f32[5],
           inout variables: f32[nel, 5]) {
	let s: State[nel];
	let old: State[nel];
	let flux: State[nel, 4];
	let factor: f32[nel];
	map s[c] = state(variables[c, 0], variables[c, 1], variables[c, 2], variables[c, 3],
		variables[c, 4]);
	repeat t < iterations {
		map old[c] = s[c], factor[c] = 0.5 / (sqrt(areas[c]) * (speed(s[c]) + sound(s[c])));
		repeat j < 3 {
			gather flux[c, k] = side_flux(s[c],
				side[c, k] >= 0 ? s[side[c, k]]
				: state(ff[0], ff[1], ff[2], ff[3], ff[4]),
				side[c, k], normal[c, k, 0], normal[c, k, 1], normal[c, k, 2]);
			stencil s[c] = add(old[c],
				add(add(add(flux[c, 0], flux[c, 1], 1), flux[c, 2], 1), flux[c, 3],
				1),
				-factor[c] / f32(3 - j));
		}
	}
	map variables[c, 0] = s[c].rho;
	map variables[c, 1] = s[c].mx;
	map variables[c, 2] = s[c].my;
	map variables[c, 3] = s[c].mz;
	map variables[c, 4] = s[c].e;
}
