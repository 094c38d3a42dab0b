// ocean.pat - the circulation that a steady wind drives in a basin, by relaxation in two colours,
// as in SPLASH's Ocean.
//
// Stommel's equation for the stream function: friction times its Laplacian, plus how the planet's
// rotation changes to the north times its slope to the east, is the curl of the wind.  Divided by
// the friction, on a grid:
//     psi[i-1, j] + psi[i+1, j] + (1 - b) psi[i, j-1] + (1 + b) psi[i, j+1] - 4 psi[i, j] = curl[i]

const WATER: u8 = 1;      // anything else is land, where the stream function is nothing

// How much a cell's equation is off.
fn off(north: f64, south: f64, west: f64, east: f64, here: f64, b: f64, curl: f64) -> f64 =
	north + south + (1 - b) * west + (1 + b) * east - 4 * here - curl;

// A sweep relaxes the red cells, then the black ones. The residual is computed after every `sweeps`
// of them, `looks` times at most. In between no pass needs more than the one before has left, so
// that a GPU computes several while it reads and writes psi once: patc's pass time.
kernel ocean(cell: u8[n, m], curl: f64[n], b: f64, omega: f64, eps: f64, sweeps: i64, looks: i64,
             inout psi: f64[n, m], out rest: f64, out done: i64)
{
	let next: f64[n, m];

	map next[i, j] = psi[i, j];
	map done = 0;
	repeat until rest < eps at most looks {
		repeat t < 2 * sweeps {
			colour: stencil next[i, j] = (i + j + t) % 2 == 0 && cell[i, j] == WATER
				? psi[i, j] + omega / 4
					* off(psi[i-1, j], psi[i+1, j], psi[i, j-1], psi[i, j+1],
				                              psi[i, j], b, curl[i])
				: psi[i, j]
				boundary keep;
			swap psi, next;
		}
		reduce rest = max[i in 1..n-1, j in 1..m-1 where cell[i, j] == WATER](
				abs(off(psi[i-1, j], psi[i+1, j], psi[i, j-1], psi[i, j+1],
					psi[i, j], b, curl[i])));
		map done += sweeps;
	}
}
