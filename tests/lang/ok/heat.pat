/* Heat round obstacles: a time loop that stops when nothing changes any more. */
const EPS: f32 = 0.0001;

kernel heat(a: f32, steps: i32, wall: bool[n, m], inout u: f32[n, m], out err: f32) {
	let v: f32[n, m];
	repeat until err < EPS at most steps {
		step: stencil v[i, j] = wall[i, j] ? u[i, j]
		      : u[i, j] + a * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4 * u[i, j])
		      boundary clamp;
		change: reduce err = max[i, j](abs(v[i, j] - u[i, j]));
		swap u, v;
	}
}
