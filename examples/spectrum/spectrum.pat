// spectrum.pat - the tones of a recording, frame by frame: each frame normalised, so that quiet
// ones show as well as loud ones, and weighed, so that those tones stand out that carry it.

const FRAME: i64 = 40;        // samples from a frame to the next
const REACH: i64 = 640;       // and in a frame

fn square(x: f32) -> f32 = x * x;
fn decibel(power: f32) -> f32 = 10 * log10(power + 1e-4);

// A Fourier transform as the product that it is.
kernel transform(x: f32[FRAME * frames + REACH], cosine: f32[tones, REACH], sine: f32[tones, REACH],
                 out loud: f32[frames, tones])
{
	let real: f32[frames, tones];
	let imaginary: f32[frames, tones];

	matmul real[f, k] = sum[t](x[FRAME * f + t] * cosine[k, t]);
	matmul imaginary[f, k] = sum[t](x[FRAME * f + t] * sine[k, t]);
	map loud[f, k] = decibel(square(real[f, k]) + square(imaginary[f, k]));
}

// Layer-norm (Ba, Kiros and Hinton 2016): of mean 0 and variance 1.
kernel normalise(loud: f32[frames, tones], out normal: f32[frames, tones])
{
	let mean: f32[frames];
	let scale: f32[frames];

	reduce mean[f] = sum[k](loud[f, k]) / max(tones, 1);
	reduce scale[f] = rsqrt(sum[k](square(loud[f, k] - mean[f])) / max(tones, 1) + 1e-5);
	map normal[f, k] = scale[f] * (loud[f, k] - mean[f]);
}

// Softmax: weights of sum 1.
kernel weigh(normal: f32[frames, tones], sharpness: f32, out weight: f32[frames, tones])
{
	let top: f32[frames];
	let total: f32[frames];

	reduce top[f] = max[k](normal[f, k]);
	reduce total[f] = sum[k](exp(sharpness * (normal[f, k] - top[f])));
	map weight[f, k] = exp(sharpness * (normal[f, k] - top[f])) / total[f];
}
