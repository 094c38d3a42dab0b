// mandelbrot.pat - for each pixel, after how many steps its point leaves (Futhark's examples).
// Patterns: map.
fn steps(cx: f32, cy: f32, most: i32) -> i32 {
	var x: f32 = 0;
	var y: f32 = 0;
	var k: i32 = 0;
	while x * x + y * y < 4 && k < most {
		let next: f32 = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = next;
		k += 1;
	}
	return k;
}

kernel mandelbrot(left: f32, top: f32, width: f32, most: i32, out image: i32[h, w]) {
	map image[i, j] = steps(left + f32(j) * width / f32(w), top + f32(i) * width / f32(w),
		most);
}

test known {
	mandelbrot(left = -2, top = -1, width = 4, most = 20, h = 3, w = 4)
		-> image = [[1, 3, 20, 2], [1, 20, 20, 2], [1, 3, 20, 2]];
}
