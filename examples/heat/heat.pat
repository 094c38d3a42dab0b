// heat.pat - heat spreads through a floor plan, round its walls, until the temperatures have
// settled.

const AIR: u8 = 0;        // its temperature changes
const WALL: u8 = 1;       // keeps its temperature and lets no heat pass
                          // anything else (a heater, a window) keeps its temperature and gives heat

// What comes from a neighbour of temperature `there`, if the way to it is open.
fn flow(open: bool, there: f32, here: f32) -> f32 = open ? there - here : 0;

// The change is looked at after every `steps` steps, `looks` times at most. In between none of them
// needs more than the temperatures of the step before, so that a GPU computes several while it
// reads and writes the house once: patc's pass time.
kernel heat(cell: u8[n, m], inout temp: f32[n, m], rate: f32, eps: f32, steps: i64, looks: i64,
            out change: f32)
{
	let ways: u8[n, m];       // the open ones: 1 up, 2 down, 4 left, 8 right
	let next: f32[n, m];
	require steps >= 1;

	stencil ways[i, j] = cell[i, j] != AIR ? 0
			: (cell[i-1, j] != WALL ? 1 : 0) | (cell[i+1, j] != WALL ? 2 : 0)
			| (cell[i, j-1] != WALL ? 4 : 0) | (cell[i, j+1] != WALL ? 8 : 0)
		boundary clamp;
	repeat until change < eps at most looks {
		repeat t < steps {
			step: stencil next[i, j] = temp[i, j]
				+ rate * (flow((ways[i, j] & 1) != 0, temp[i-1, j], temp[i, j])
				        + flow((ways[i, j] & 2) != 0, temp[i+1, j], temp[i, j])
				        + flow((ways[i, j] & 4) != 0, temp[i, j-1], temp[i, j])
				        + flow((ways[i, j] & 8) != 0, temp[i, j+1], temp[i, j]))
				boundary clamp;
			swap temp, next;
		}
		reduce change = max[i, j](abs(temp[i, j] - next[i, j]));
	}
}
