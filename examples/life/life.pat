// life.pat - Conway's game of life on a torus: a cell is born where three of its eight neighbours
// live, and goes on living beside two or three (M. Gardner, Scientific American 223, October 1970).

// Of `around` cells that live in a square of nine, the cell itself may be one.
fn lives(around: u8, here: u8) -> u8 = around == 3 || around == 4 && here == 1 ? 1 : 0;

kernel life(generations: i64, inout cell: u8[n, m], out alive: i64)
{
	let next: u8[n, m];

	repeat t < generations {
		step: stencil next[i, j] = lives(
				sum[p in -1..2, q in -1..2](cell[i+p, j+q]), cell[i, j])
					boundary wrap;
		swap cell, next;
	}
	reduce alive = sum[i, j](cell[i, j]);
}

test known {
	// a glider is one cell further down and to the right after 4 generations, and back after 5
	// times 4
	life(cell = [[0, 1, 0, 0, 0],
	             [0, 0, 1, 0, 0],
	             [1, 1, 1, 0, 0],
	             [0, 0, 0, 0, 0],
	             [0, 0, 0, 0, 0]], generations = 4)
		-> cell = [[0, 0, 0, 0, 0],
	                   [0, 0, 1, 0, 0],
	                   [0, 0, 0, 1, 0],
	                   [0, 1, 1, 1, 0],
	                   [0, 0, 0, 0, 0]], alive = 5;
	life(cell = [[0, 1, 0, 0, 0],
	             [0, 0, 1, 0, 0],
	             [1, 1, 1, 0, 0],
	             [0, 0, 0, 0, 0],
	             [0, 0, 0, 0, 0]], generations = 20)
		-> cell = [[0, 1, 0, 0, 0],
	                   [0, 0, 1, 0, 0],
	                   [1, 1, 1, 0, 0],
	                   [0, 0, 0, 0, 0],
	                   [0, 0, 0, 0, 0]];
	// a blinker
	life(cell = [[0, 0, 0, 0, 0],
	             [0, 0, 1, 0, 0],
	             [0, 0, 1, 0, 0],
	             [0, 0, 1, 0, 0],
	             [0, 0, 0, 0, 0]], generations = 7)
		-> cell = [[0, 0, 0, 0, 0],
	                   [0, 0, 0, 0, 0],
	                   [0, 1, 1, 1, 0],
	                   [0, 0, 0, 0, 0],
	                   [0, 0, 0, 0, 0]], alive = 3;
	// where all live, all die
	life(cell = [[1, 1, 1], [1, 1, 1], [1, 1, 1]], generations = 1) -> cell = 0, alive = 0;
	life(n = 0, m = 5, generations = 3) -> alive = 0;
}
