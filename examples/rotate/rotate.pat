// rotate.pat - a picture turned about its middle: every pixel is fetched from where it was, between
// four others.

struct Rgb { r, g, b: u8 }
struct Place { y, x: f32 }

fn inside(p: Place, m: i64, n: i64) -> bool =
	p.y >= 0 && p.y <= f32(m - 1) && p.x >= 0 && p.x <= f32(n - 1);
fn low(x: f32) -> i64 = i64(floor(x));
fn high(x: f32, n: i64) -> i64 = min(low(x) + 1, n - 1);
fn mix(a: f32, b: f32, t: f32) -> f32 = a + t * (b - a);
fn blend(a: u8, b: u8, c: u8, d: u8, p: Place) -> u8 =
	u8(mix(mix(a, b, p.x - floor(p.x)), mix(c, d, p.x - floor(p.x)), p.y - floor(p.y)) + 0.5);
fn between(a: Rgb, b: Rgb, c: Rgb, d: Rgb, p: Place) -> Rgb =
	Rgb(blend(a.r, b.r, c.r, d.r, p), blend(a.g, b.g, c.g, d.g, p),
	blend(a.b, b.b, c.b, d.b, p));

// By an angle against the clock, of which cosine and sine are given; what comes from outside is
// background.  The mask keeps what is read inside, so that it need not be tested again: `trusted`.
kernel rotate(photo: Rgb[m, n], cosine: f32, sine: f32, background: Rgb, out turned: Rgb[m, n])
{
	let from: Place[m, n];

	map turned[i, j] = background;
	map from[i, j] = Place(
		f32(m - 1) / 2 + cosine * (f32(i) - f32(m - 1) / 2)
			+ sine * (f32(j) - f32(n - 1) / 2),
		f32(n - 1) / 2 - sine * (f32(i) - f32(m - 1) / 2)
			+ cosine * (f32(j) - f32(n - 1) / 2));
	fetch: gather turned[i, j] = between(
		photo[low(from[i, j].y), low(from[i, j].x)],
			photo[low(from[i, j].y), high(from[i, j].x, n)],
		photo[high(from[i, j].y, m), low(from[i, j].x)],
			photo[high(from[i, j].y, m), high(from[i, j].x, n)],
		from[i, j]) where inside(from[i, j], m, n) trusted;
}
