// photo.pat - a photograph softened by a Gaussian, and its edges by Sobel, above a threshold that
// is found from it.

struct Rgb { r, g, b: u8 }
struct Light { r, g, b: f32 }

const GAUSS: f32[5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

fn to_byte(x: f32) -> u8 = u8(x + 0.5);
fn length(x: f32, y: f32) -> f32 = sqrt(x * x + y * y);
fn grey(p: Rgb) -> f32 = 0.299 * f32(p.r) + 0.587 * f32(p.g) + 0.114 * f32(p.b);

// The binomial weights 1 4 6 4 1, along the rows and then along the columns.
kernel blur(photo: Rgb[n, m], out soft: Rgb[n, m])
{
	let wide: Light[n, m];

	rows: stencil wide[i, j].r = sum[k in 0..5](GAUSS[k] * photo[i, j + k - 2].r),
	              wide[i, j].g = sum[k in 0..5](GAUSS[k] * photo[i, j + k - 2].g),
	              wide[i, j].b = sum[k in 0..5](GAUSS[k] * photo[i, j + k - 2].b)
	                  boundary mirror;
	columns: stencil soft[i, j].r = to_byte(sum[k in 0..5](GAUSS[k] * wide[i + k - 2, j].r)),
	                 soft[i, j].g = to_byte(sum[k in 0..5](GAUSS[k] * wide[i + k - 2, j].g)),
	                 soft[i, j].b = to_byte(sum[k in 0..5](GAUSS[k] * wide[i + k - 2, j].b))
	                     boundary mirror;
}

// How steep the light is, and which cells are edges: those above a threshold that stands halfway
// between the mean of what it leaves below and the mean of what it leaves above (Ridler and Calvard
// 1978).
kernel sobel(photo: Rgb[n, m], out slope: f32[n, m], out edge: u8[n, m], out threshold: f32,
             out passes: i32)
{
	let light: f32[n, m];
	let moved: f32;

	map light[i, j] = grey(photo[i, j]);
	slopes: stencil slope[i, j] = length(
		light[i-1, j+1] - light[i-1, j-1] + 2 * (light[i, j+1] - light[i, j-1])
			+ light[i+1, j+1] - light[i+1, j-1],
		light[i+1, j-1] - light[i-1, j-1] + 2 * (light[i+1, j] - light[i-1, j])
			+ light[i+1, j+1] - light[i-1, j+1])
		boundary mirror;
	reduce threshold = f32(sum[i, j](f64(slope[i, j])) / max(n * m, 1));
	map passes = 0;
	repeat until moved < 0.01 at most 100 {
		let below: f64;
		let above: f64;
		means: reduce below = sum[i, j where slope[i, j] <= threshold](f64(slope[i, j]))
		                    / max(count[i, j](slope[i, j] <= threshold), 1),
		              above = sum[i, j where slope[i, j] > threshold](f64(slope[i, j]))
		                    / max(count[i, j](slope[i, j] > threshold), 1);
		map moved = abs(f32((below + above) / 2) - threshold),
			threshold = f32((below + above) / 2), passes += 1;
	}
	map edge[i, j] = slope[i, j] > threshold ? 255 : 0;
}
