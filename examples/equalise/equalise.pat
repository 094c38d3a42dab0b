// equalise.pat - the light of a photograph is spread evenly: the histogram of its levels, summed
// up, says which level each of them becomes, so that as many pixels are darker than half of the
// light as are brighter.

struct Rgb { r, g, b: u8 }

const LEVELS: i64 = 256;

// How light a pixel is (ITU-R BT.601), and the pixel in its own colour, but as light as that.
fn level(p: Rgb) -> i32 = (299 * i32(p.r) + 587 * i32(p.g) + 114 * i32(p.b) + 500) / 1000;
fn scaled(x: u8, old: i32, new: i32) -> u8 =
	old == 0 ? u8(new) : u8(min((x * new + old / 2) / old, 255));
fn lit(p: Rgb, new: i32) -> Rgb =
	Rgb(scaled(p.r, level(p), new), scaled(p.g, level(p), new), scaled(p.b, level(p), new));

kernel equalise(photo: Rgb[m, n], out even: Rgb[m, n], out pixels: i64[LEVELS])
{
	let becomes: i32[LEVELS];

	map pixels[k] = 0;
	count: histogram pixels[level(photo[i, j])] += 1;
	// as many of all levels as pixels are darker, and half of those that are as light
	spread: scan becomes[k] =
		i32((LEVELS - 1) * (2 * sum[k](pixels[k]) - pixels[k]) / (2 * max(m * n, 1)));
	apply: gather even[i, j] = lit(photo[i, j], becomes[level(photo[i, j])]);
}
