// heat.pat - heat spreads through a floor plan, round its walls, until the temperatures have
// settled.

const AIR: u8 = 0;        // its temperature changes
const WALL: u8 = 1;       // keeps its temperature and lets no heat pass
                          // anything else (a heater, a window) keeps its temperature and gives heat

// What a neighbour of temperature `there` adds to a cell of temperature `here`.
fn flow(there: f32, kind: u8, here: f32) -> f32 = kind == WALL ? 0 : there - here;

kernel heat(cell: u8[n, m], inout temp: f32[n, m], rate: f32, eps: f32, steps: i64, out change: f32)
{
	let next: f32[n, m];

	repeat until change < eps at most steps {
		step: stencil next[i, j] = cell[i, j] == AIR
			? temp[i, j] + rate * (flow(temp[i-1, j], cell[i-1, j], temp[i, j])
			                     + flow(temp[i+1, j], cell[i+1, j], temp[i, j])
			                     + flow(temp[i, j-1], cell[i, j-1], temp[i, j])
			                     + flow(temp[i, j+1], cell[i, j+1], temp[i, j]))
			: temp[i, j]
			boundary clamp;
		reduce change = max[i, j](abs(next[i, j] - temp[i, j]));
		swap temp, next;
	}
}
