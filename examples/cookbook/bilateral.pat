// bilateral.pat - a blur that stops at edges: weights fall with the distance and with the
// difference in light (Tomasi and Manduchi 1998).  Patterns: stencil with a window.
const R: i64 = 4;

fn weight(d: f32, p: f32, near: f32, alike: f32) -> f32 = exp(-p * near - d * d * alike);

// near: 1 / (2 s^2) of the distance in pixels, alike: that of the difference in light
kernel bilateral(near: f32, alike: f32, a: f32[h, w], out b: f32[h, w]) {
	stencil b[y, x] = sum[p in -R..R+1, q in -R..R+1](a[y+p, x+q]
			* weight(a[y+p, x+q] - a[y, x], f32(p * p + q * q), near, alike))
		/ sum[p in -R..R+1, q in -R..R+1](
			weight(a[y+p, x+q] - a[y, x], f32(p * p + q * q), near, alike))
		boundary clamp;
}

test known {
	bilateral(near = 0.1, alike = 1, h = 5, w = 7, a = 2.5) -> b = 2.5 within 1e-5;
	bilateral(near = 0.1, alike = 1000, a = [[0, 0, 1, 1], [0, 0, 1, 1]])
		-> b = [[0, 0, 1, 1], [0, 0, 1, 1]] within 1e-5;
}
