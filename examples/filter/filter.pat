// filter.pat - a recording through two filters of second order, and how loud it then is, as a meter
// shows it.
//
// A section is y[i] = b0 x[i] + b1 x[i-1] + b2 x[i-2] - a1 y[i-1] - a2 y[i-2], before the recording
// all is silent; row k of `section` holds b0, b1, b2, a1, a2 of filter k.

fn decibel(x: f32) -> f32 = 20 * log10(max(abs(x), 1e-5));

kernel filter(x: f32[n], section: f32[2, 5], fall: f32, out y: f32[n], out level: f32[n])
{
	let u: f32[n];

	first: scan u[i] = (u[i-1] ○ -section[0, 3]) ◇ (u[i-2] ○ -section[0, 4])
	                 ◇ section[0, 0] * x[i] + section[0, 1] * (i >= 1 ? x[i-1] : 0)
	                     + section[0, 2] * (i >= 2 ? x[i-2] : 0)
	            using ○ = *, ◇ = +;
	second: scan y[i] = (y[i-1] ○ -section[1, 3]) ◇ (y[i-2] ○ -section[1, 4])
	                  ◇ section[1, 0] * u[i] + section[1, 1] * (i >= 1 ? u[i-1] : 0)
	                      + section[1, 2] * (i >= 2 ? u[i-2] : 0)
	             using ○ = *, ◇ = +;
	// the needle jumps up with the sound and sinks by so many decibels a sample
	meter: scan level[i] = (level[i-1] ○ -fall) ◇ decibel(y[i]) using ○ = +, ◇ = max;
}
