// boxblur.pat - every pixel becomes the mean of the square around it, as far as that lies in the
// picture.  By summed-area tables (Crow 1984) that costs the same for every radius.

struct Rgb { r, g, b: u8 }

// Of n rows or columns the square around i has those from its low side, 0, up to its high side, 1.
fn side(which: i64, i: i64, radius: i64, n: i64) -> i64 =
	which == 0 ? max(i - radius, 0) : min(i + radius + 1, n);
fn width(i: i64, radius: i64, n: i64) -> u32 = u32(side(1, i, radius, n) - side(0, i, radius, n));

// What a corner of the square adds to the sum of its pixels.
fn part(y: i64, x: i64, table: u32) -> u32 = x == y ? table : 0 - table;
fn mean(sum: u32, cells: u32) -> u8 = u8((sum + cells / 2) / cells);

// Cell i, j of a table is the sum of the pixels above and left of i, j.  It wraps in a large
// picture, and what the corners say of a square is right all the same while that has less than 2^24
// pixels.
kernel boxblur(photo: Rgb[m, n], radius: i64, out soft: Rgb[m, n])
{
	let r: u32[m+1, n+1];
	let g: u32[m+1, n+1];
	let b: u32[m+1, n+1];

	tables: wavefront
		r[i, j] = photo[i-1, j-1].r + r[i-1, j] + r[i, j-1] - r[i-1, j-1],
		g[i, j] = photo[i-1, j-1].g + g[i-1, j] + g[i, j-1] - g[i-1, j-1],
		b[i, j] = photo[i-1, j-1].b + b[i-1, j] + b[i, j-1] - b[i-1, j-1]
		for i in 1..m+1, j in 1..n+1;
	squares: reduce
		soft[i, j].r = mean(sum[y in 0..2, x in 0..2](part(y, x,
			r[side(y, i, radius, m), side(x, j, radius, n)])),
		                    width(i, radius, m) * width(j, radius, n)),
		soft[i, j].g = mean(sum[y in 0..2, x in 0..2](part(y, x,
			g[side(y, i, radius, m), side(x, j, radius, n)])),
		                    width(i, radius, m) * width(j, radius, n)),
		soft[i, j].b = mean(sum[y in 0..2, x in 0..2](part(y, x,
			b[side(y, i, radius, m), side(x, j, radius, n)])),
		                    width(i, radius, m) * width(j, radius, n));
}
