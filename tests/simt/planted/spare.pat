// Several passes of a loop in one visit, which writes beside what it reads: there and back, with cells that keep their value,
// and cells of two colours in place.
kernel back(inout a: f32[48, 388]) {
	let b: f32[48, 388];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 6 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) + f32(t) boundary keep;
		stencil a[i, j] = 0.25 * (b[i-1, j] + b[i, j-1] + b[i, j+1] + b[i+1, j]) boundary keep;
	}
}
kernel colours(inout a: f32[48, 388]) {
	repeat t < 6 {
		stencil a[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) for i in 1..47, j in 1..387 where (i + j) % 2 == 0;
		stencil a[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) for i in 1..47, j in 1..387 where (i + j) % 2 == 1;
	}
}
schedule back for cuda { time 3; }
schedule back for hip { time 3; }
schedule colours for cuda { time 3; }
schedule colours for hip { time 3; }
