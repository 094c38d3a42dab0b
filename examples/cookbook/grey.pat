// grey.pat - a colour image becomes grey (CS344, problem 1).  Patterns: map on structs.
struct Pixel { r, g, b, a: u8 }

kernel grey(image: Pixel[h, w], out light: u8[h, w]) {
	map light[y, x] = u8(0.299 * image[y, x].r + 0.587 * image[y, x].g + 0.114 * image[y, x].b);
}

test known {
	grey(image = [[Pixel(255, 255, 255, 0), Pixel(0, 100, 0, 255)]]) -> light = [[255, 58]];
}
