// warp.pat - how one recording must be stretched and squeezed to become another one: dynamic time
// warping (Sakoe and Chiba 1978) of how loud their tones are.

const FRAME: i64 = 80;        // samples from a frame to the next
const REACH: i64 = 320;       // and in a frame
const TURN: f32 = 6.2831853;

fn square(x: f32) -> f32 = x * x;
fn decibel(power: f32) -> f32 = 10 * log10(power + 1e-3);
fn window(t: i64) -> f32 = 0.5 - 0.5 * cos(TURN / 320 * f32(t));

// How loud each tone is in each frame; turns[k] of tone k are a sample.
kernel tones(x: f32[FRAME * frames + REACH], turns: f32[count], out loud: f32[frames, count])
{
	reduce loud[f, k] = decibel(square(sum[t in 0..REACH](x[FRAME * f + t] * window(t)
		* cos(TURN * turns[k] * f32(t))))
	                          + square(sum[t in 0..REACH](x[FRAME * f + t] * window(t)
	                              * sin(TURN * turns[k] * f32(t)))));
}

// From which pair of frames the best way comes: one before in both, in one, in the other.
const BOTH: u8 = 0;
const ONE: u8 = 1;
const OTHER: u8 = 2;

// What the best way to the last pair of frames costs, and for the way back a byte a pair.
kernel warp(one: f32[m, count], other: f32[n, count], out way: u8[m, n], out cost: f32)
{
	let apart: f32[m, n];
	let best: f32[m, n];

	distances: reduce apart[i, j] = sqrt(sum[k](square(one[i, k] - other[j, k])));
	ways: wavefront
		best[i, j] = apart[i, j] + min(best[i-1, j-1], best[i-1, j], best[i, j-1]),
		way[i, j] = best[i-1, j-1] <= min(best[i-1, j], best[i, j-1]) ? BOTH
		          : best[i-1, j] <= best[i, j-1] ? ONE : OTHER
		boundary (i < 0 && j < 0 ? 0 : inf, 0);
	map cost = m > 0 && n > 0 ? best[m-1, n-1] : 0;
}
