// The cheapest way down a wall, a step straight or to one side in a row
kernel pathfinder(wall: i32[rows, cols], out result: i32[cols]) {
	require rows >= 1;
	let next: i32[cols];
	map result[j] = wall[0, j];
	repeat t < rows - 1 {
		stencil next[j] = wall[t+1, j] + min(result[j-1], result[j], result[j+1])
			boundary clamp;
		map result[j] = next[j];
	}
}
