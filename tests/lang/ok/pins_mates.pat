// Pins of a whole kernel apply to the statements for which they are possible: not to those that are computed in the
// kernel of another one, also where these run apart from it, and `cap` not on a CPU.
kernel pins_mates(a: f64[n, m], h: f64[n, m], out c: f64[n, m], out s: f64[n], out d: f64[n, m], inout z: f64[n]) {
	let t: f64[n, m];
	map c[i, j] = a[i, j] + 1;
	reduce s[i] = max[j](a[i, j]);
	map d[i, j] = a[i, j] / s[i];
	map t[i, j] = a[i, j] * h[i, j];
	reduce z[i] = z[i] + sum[j](t[i, j]);
}
schedule pins_mates for cuda { walk packet; coarsen 64; vector 2; }
schedule pins_mates for hip { walk refill; coarsen 64; sweep batch; }
kernel pins_near(x: f32[n], y: f32[n], out f: f32[n]) {
	pairs f[i] = sum[j where i != j](x[i] - x[j]) within 0.5 of (x, y);
}
schedule pins_near for cpu { bin 4 cap 64; }
schedule pins_near for cuda { bin 4 cap 64; }
