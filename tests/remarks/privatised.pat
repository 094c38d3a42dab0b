// patc --target=cuda --arch=sm_90
// Cells of a block's own: how many, in how many copies and parts, and why not.
op some(a: i32, b: i32) -> i32 = a | b associative, commutative;
kernel known(x: i32[n], inout h: i32[3000], inout g: u8[40000], inout p: f64[40000], inout c: i64[1000000], inout o: i32[64], inout s: i32[500]) {
	copies: histogram h[x[i]] += 1;
	room: histogram g[x[i]] max= u8(i % 256) drop;
	parts: histogram p[x[i]] += 1;
	memory: histogram c[x[i]] += 1;
	begun: histogram o[x[i]] some= 1;
	few: scatter s[x[i]] += 1;
	off: scatter s[x[i]] += 2;
}
kernel open(x: i32[n], inout h: i32[m], inout g: i32[m], inout p: i32[m], inout q: f32[m]) {
	sizes: histogram h[x[i]] += 1;
	hot: histogram g[x[i]] += 1;
	spread: scatter p[x[i]] += 1;
	found: scatter q[x[i]] += 1;
	not: scatter q[x[i]] += 2;
}
schedule known for cuda sm_90 { copies: privatise 1; parts: privatise; off: no privatise; }
schedule open for cuda sm_90 { hot: privatise first 1000; found: privatise hot; not: no privatise; }
// a pin for the whole kernel holds where it can
kernel whole(x: i32[n], inout h: i32[m], inout y: i32[n]) {
	histogram h[x[i]] += 1;
	map y[i] = x[i];
}
schedule whole for cuda sm_90 { privatise first 100000; }
kernel all(x: i32[n], inout h: i32[1000000]) {
	histogram h[x[i]] += 1;
}
schedule all for cuda sm_90 { privatise; }
