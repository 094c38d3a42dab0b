// gray_scott.pat - two chemicals that react and diffuse, and draw spots that divide, stripes or
// mazes, as the mixture decides: the model of Gray and Scott with the numbers of J. E. Pearson,
// Complex patterns in a simple system, Science 261, 1993.
//
//     du/dt = Du laplace(u) - u v^2 + feed (1 - u)
//     dv/dt = Dv laplace(v) + u v^2 - (feed + kill) v
//
// v makes more of itself from u.  u is fed, v is taken away, and u diffuses twice as fast.

// Pearson's diffusion of u and v, in cells of 2.5 / 256 and steps of 1.
const U_SPREADS: f32 = 0.2097152;
const V_SPREADS: f32 = 0.1048576;

fn laplace(north: f32, south: f32, west: f32, east: f32, here: f32) -> f32 =
	north + south + west + east - 4 * here;

// The world is a torus: what leaves it on one side comes back on the other.
kernel gray_scott(feed: f32, kill: f32, steps: i64, inout u: f32[n, m], inout v: f32[n, m])
{
	let next_u: f32[n, m];
	let next_v: f32[n, m];

	repeat t < steps {
		step: stencil
			next_u[i, j] = u[i, j]
				+ U_SPREADS * laplace(u[i-1, j], u[i+1, j], u[i, j-1], u[i, j+1],
				                      u[i, j])
				- u[i, j] * v[i, j] * v[i, j] + feed * (1 - u[i, j]),
			next_v[i, j] = v[i, j]
				+ V_SPREADS * laplace(v[i-1, j], v[i+1, j], v[i, j-1], v[i, j+1],
				                      v[i, j])
				+ u[i, j] * v[i, j] * v[i, j] - (feed + kill) * v[i, j]
			boundary wrap;
		swap u, next_u;
		swap v, next_v;
	}
}

// How many places have more of v than the eight around them.
kernel spots(v: f32[n, m], out number: i64)
{
	reduce number = count[i in 1..n-1, j in 1..m-1](v[i, j] > 0.15
			&& v[i, j] == max[p in -1..2, q in -1..2](v[i+p, j+q]));
}

test mixtures {
	// where there is no v, u is fed until it is 1, and that is where it stays
	gray_scott(u = [[1, 1, 1], [1, 1, 1]], v = 0, feed = 0.5, kill = 0.1, steps = 7)
		-> u = 1, v = 0;
	gray_scott(u = [[0, 0, 0], [0, 0, 0]], v = 0, feed = 0.5, kill = 0.1, steps = 2)
		-> u = 0.75, v = 0;
	// without feed and kill u and v together stay as much as they were
	gray_scott(u = [[1, 1, 1, 1, 1]], v = [[0, 0, 1, 0, 0]], feed = 0, kill = 0, steps = 1)
		-> u = [[1, 1, 0, 1, 1]], v = [[0, 0.1048576, 1.7902848, 0.1048576, 0]] within 1e-6;
	gray_scott(n = 0, m = 5, feed = 0, kill = 0, steps = 3);
	spots(v = [[0, 0,   0,   0,   0],
	           [0, 0.5, 0.2, 0.3, 0],
	           [0, 0.1, 0.1, 0.1, 0],
	           [0, 0.1, 0.4, 0.1, 0],
	           [0, 0,   0,   0,   0]]) -> number = 3;
}
