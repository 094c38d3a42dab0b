// Windows of many cells: what they read at a time must fit the registers of a thread.
struct RGBA { r, g, b, a: u8 }
struct D3 { x, y, z: f64 }
kernel colours(image: RGBA[h, w], filter: f32[9, 9], out blurred: RGBA[h, w]) {
	stencil blurred[y, x] = RGBA(u8(sum[r in 0..9, c in 0..9](filter[r, c] * f32(image[y + r - 4, x + c - 4].r))),
		u8(sum[r in 0..9, c in 0..9](filter[r, c] * f32(image[y + r - 4, x + c - 4].g))),
		u8(sum[r in 0..9, c in 0..9](filter[r, c] * f32(image[y + r - 4, x + c - 4].b))), image[y, x].a) boundary clamp;
}
kernel vectors(filter: f32[49], a: D3[h, w], out b: D3[h, w]) {
	stencil b[y, x] = D3(sum[r in 0..7, c in 0..7](filter[r * 7 + c] * a[y + r - 3, x + c - 3].x),
		sum[r in 0..7, c in 0..7](filter[r * 7 + c] * a[y + r - 3, x + c - 3].y),
		sum[r in 0..7, c in 0..7](filter[r * 7 + c] * a[y + r - 3, x + c - 3].z)) boundary wrap;
}
kernel plane(image: u8[h, w], filter: f32[9, 9], out blurred: u8[h, w]) {
	stencil blurred[y, x] = u8(sum[r in 0..9, c in 0..9](filter[r, c] * f32(image[y + r - 4, x + c - 4]))) boundary mirror;
}
kernel spread(a: f64[h, w], out b: f64[h, w]) {
	stencil b[y, x] = sqrt(sum[r in 0..9, c in 0..9](a[y + r - 4, x + c - 4] * a[y + r - 4, x + c - 4]))
		- max[r in 0..9, c in 0..9](a[y + r - 4, x + c - 4]) boundary (0);
}
kernel whole(filter: f32[5, 5], a: i32[h, w], out b: i32[h, w]) {
	stencil b[y, x] = i32(sum[r in 0..5, c in 0..5](filter[r, c] * f32(a[y + r - 2, x + c - 2]))) boundary mirror;
}
kernel sums(a: i32[h, w], out b: i32[h, w], out n: i64[h, w]) {
	stencil b[y, x] = max[r in 0..5, c in 0..5](a[y + r - 2, x + c - 2]) - min[r in 0..5, c in 0..5](a[y + r - 2, x + c - 2])
		+ (a[y, x] > 0 ? sum[r in 0..5, c in 0..5](a[y + r - 2, x + c - 2]) : 0),
		n[y, x] = count[r in 0..5, c in 0..5](a[y + r - 2, x + c - 2] > 1) * count[r in 0..5, c in 0..5](a[y + r - 2, x + c - 2] < 1)
		boundary (clamp, (0));
}
schedule spread for cpu { no separate; }
schedule spread for cuda { no separate; }
schedule spread for hip { no separate; }
test of_windows {
	colours(h = 3, w = 2, image = [[RGBA(1, 2, 3, 4), RGBA(1, 2, 3, 5)], [RGBA(1, 2, 3, 6), RGBA(1, 2, 3, 7)], [RGBA(1, 2, 3, 8), RGBA(1, 2, 3, 9)]], filter = 1)
		-> blurred = [[RGBA(81, 162, 243, 4), RGBA(81, 162, 243, 5)], [RGBA(81, 162, 243, 6), RGBA(81, 162, 243, 7)], [RGBA(81, 162, 243, 8), RGBA(81, 162, 243, 9)]];
	vectors(h = 1, w = 7, filter = 1, a = [[D3(1, 0, 1), D3(2, 0, 0), D3(3, 0, 0), D3(4, 0, 0), D3(5, 0, 0), D3(6, 0, 0), D3(7, 2, 0)]])
		-> b = [[D3(196, 14, 7), D3(196, 14, 7), D3(196, 14, 7), D3(196, 14, 7), D3(196, 14, 7), D3(196, 14, 7), D3(196, 14, 7)]];
	plane(h = 20, w = 37, image = 3, filter = 1) -> blurred = 243;
	spread(h = 1, w = 2, a = [[3, 4]]) -> b = [[1, 1]];
	whole(h = 9, w = 33, a = 2, filter = 0.5) -> b = 25;
	sums(h = 1, w = 3, a = [[1, 2, -1]]) -> b = [[13, 13, 3]], n = [[75, 75, 75]];
	colours(h = 40, w = 67, image = random, filter = random);
	vectors(h = 40, w = 67, a = random, filter = random);
	spread(h = 40, w = 66, a = random);
	sums(h = 12, w = 68, a = random);
}
