// out_earlier.pat - a repeat reads of an `out` array what no earlier pass has written.
kernel next(x: f32[t, n], out h: f32[t+1, n]) {
	repeat s < t { map h[s+1, j] = x[s, j] + h[s, j]; }
}
kernel later(x: f32[t, n], out h: f32[t, n]) {
	repeat s < t { map h[s, j] = x[s, j] + (s + 1 < t ? h[s+1, j] : 0); }
}
kernel nobody(x: f32[t, n], out h: f32[t, n], inout g: f32[t, n]) {
	repeat s < t { map g[s, j] = x[s, j] + (s > 0 ? h[s-1, j] : 0); }
}
kernel exchanged(x: f32[t, n], out h: f32[t, n], inout g: f32[t, n]) {
	repeat s < t {
		map h[s, j] = x[s, j] + (s > 0 ? h[s-1, j] : 0);
		swap h, g;
	}
}
kernel uneven(x: f32[t, n], out h: f32[2*t, n]) {
	repeat s < t { map h[2*s, j] = x[s, j] + (s > 0 ? h[2*s-1, j] : 0); }
}
kernel bounded(x: f32[n], out h: f32[n], out e: f32) {
	repeat until e > 0 at most n {
		map h[i] = x[i] + h[i];
		reduce e = max[i](h[i]);
	}
}
