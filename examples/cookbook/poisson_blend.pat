// poisson_blend.pat - a part of one picture is put into another one, without a seam (CS344,
// problem 6; Perez, Gangnet and Blake 2003).  Patterns: repeat, stencil, map.
kernel poisson_blend(steps: i64, source: f32[h, w], part: bool[h, w], inout picture: f32[h, w]) {
	let slope: f32[h, w];
	let next: f32[h, w];
	stencil slope[y, x] = 4 * source[y, x] - source[y-1, x] - source[y+1, x] - source[y, x-1]
		- source[y, x+1] boundary clamp;
	repeat t < steps {
		stencil next[y, x] = part[y, x] ? 0.25 * (picture[y-1, x] + picture[y+1, x]
				+ picture[y, x-1] + picture[y, x+1] + slope[y, x]) : picture[y, x]
					boundary clamp;
		swap picture, next;
	}
}

test known {
	poisson_blend(steps = 50, source = [[5, 5, 5], [5, 6, 5], [5, 5, 5]],
	              part = [[false, false, false], [false, true, false], [false, false, false]],
	              picture = [[1, 1, 1], [1, 0, 1], [1, 1, 1]])
		-> picture = [[1, 1, 1], [1, 2, 1], [1, 1, 1]];
}
