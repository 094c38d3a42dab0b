// wave.pat - sound in rock, in three dimensions: the seven-point wave equation, and the same as two
// coupled equations.

// What the source has pressed out until step t: Ricker's wavelet, whose spectrum has its peak at 1
// / period.
fn ricker(t: i64, period: f32) -> f32 {
	let x = 3.14159265 * (f32(t) / period - 1);
	return (1 - 2 * x * x) * exp(-x * x);
}

fn laplace(down: f32, up: f32, north: f32, south: f32, west: f32, east: f32, here: f32) -> f32 =
	down + up + north + south + west + east - 6 * here;

// Centred differences in time, of the loss too.
fn next(now: f32, before: f32, loss: f32, pull: f32) -> f32 =
	(2 * now - (1 - loss) * before + pull) / (1 + loss);

// speed2: the square of the speed, in cells a step.  loss_*: what the sides take out of a wave, so
// that it dies away there instead of coming back; they add up.  The outermost cells stay at rest.
kernel wave(speed2: f32[l, n, m], loss_k: f32[l], loss_i: f32[n], loss_j: f32[m],
            source_k: i64, source_i: i64, source_j: i64, period: f32, first: i64, steps: i64,
            inout now: f32[l, n, m], inout before: f32[l, n, m])
{
	repeat t < steps {
		step: stencil before[k, i, j] =
			next(now[k, i, j], before[k, i, j], loss_k[k] + loss_i[i] + loss_j[j],
				speed2[k, i, j] * laplace(now[k-1, i, j], now[k+1, i, j],
					now[k, i-1, j], now[k, i+1, j],
				                          now[k, i, j-1], now[k, i, j+1],
				                              now[k, i, j]))
			boundary keep;
		map before[source_k, source_i, source_j] += ricker(first + t, period)
			where 0 <= source_k && source_k < l && 0 <= source_i && source_i < n
				&& 0 <= source_j && source_j < m;
		swap now, before;
	}
}

// The pressure p and the three speeds u, v, w of the medium between its cells, half a step apart in
// time: without sides that fade, p goes through the same values as above.
struct Flow { u, v, w: f32 }

kernel sound(speed2: f32[l, n, m], steps: i64, inout p: f32[l, n, m], inout flow: Flow[l, n, m])
{
	repeat t < steps {
		push: stencil flow[k, i, j].u -= p[k+1, i, j] - p[k, i, j],
		              flow[k, i, j].v -= p[k, i+1, j] - p[k, i, j],
		              flow[k, i, j].w -= p[k, i, j+1] - p[k, i, j] boundary clamp;
		press: stencil p[k, i, j] -= speed2[k, i, j]
			* (flow[k, i, j].u - flow[k-1, i, j].u + flow[k, i, j].v - flow[k, i-1, j].v
			   + flow[k, i, j].w - flow[k, i, j-1].w)
			for k in 1..l-1, i in 1..n-1, j in 1..m-1;
	}
}
