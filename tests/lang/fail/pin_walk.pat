// Walks that no schedule of passes fits.
fn steps(next: i32[n], from: i32) -> i32 {
	var at: i32 = from;
	var k: i32 = 0;
	while at >= 0 at most n { at = next[at]; k = k + 1; }
	return k;
}
fn twice(next: i32[n], from: i32) -> i32 {
	var at: i32 = from;
	while at >= 0 at most n { at = next[at]; }
	while at < 0 at most n { at = at + 2; }
	return at;
}
fn inside(next: i32[n], from: i32) -> i32 {
	var at: i32 = from;
	if at > 0 { while at >= 0 at most n { at = next[at]; } }
	return at;
}
fn array(next: i32[n], from: i32) -> i32 {
	var at: i32 = from;
	var last: i32[2];
	while at >= 0 at most n { last[0] = last[1]; last[1] = at; at = next[at]; }
	return last[0];
}
fn wide(next: i64[n], from: i64) -> i64 {
	var at: i64 = from;
	while at >= 0 at most n { at = next[at]; }
	return at;
}
kernel none(x: f32[n], out y: f32[n]) { a: map y[i] = 2 * x[i]; }
kernel one(next: i32[n], from: i32[m], inout y: i32[m], inout w: i32[m], inout z: i32) {
	b: map y[i] = twice(next, from[i]);
	c: map y[i] = inside(next, from[i]);
	d: map y[i] = array(next, from[i]);
	e: map y[i] = from[i] > 2 ? steps(next, from[i]) : 0;
	f: map y[i] = steps(next, steps(next, from[i]));
	g: map z = steps(next, 0);
	h: map y[i] = steps(next, 1), w[i] = steps(next, 2);
	k: scatter y[from[i]] += steps(next, from[i]);
	l: map y[i] = steps(next, 1) + steps(next, from[i]);
}
kernel two(next: i64[n], from: i64[m], inout y: i64[m]) {
	o: map y[i] = wide(next, from[i]);
	p: map y[i] = wide(next, from[i]);
}
kernel three(next: i32[n], from: i32[m, m], inout y: i32[m, m], inout z: i32[m], inout s: i64) {
	q: map y[i, j] = steps(next, from[i, j]) for i in 0..m, j in 0..i;
	r: map z[i] = steps(next, z[i]);
	t: reduce s = sum[i](i64(z[i]));
}
kernel four(next: i32[n], from: i32[m], inout y: i32[m]) {
	u: map y[i] = steps(next, from[i]);
}
schedule none for cuda { a: walk thread; }
schedule one for cuda {
	b: walk refill; c: walk packet; d: walk refill; e: walk refill; f: walk packet; g: walk refill;
	h: walk refill; k: walk refill; l: walk refill;
}
schedule two for cuda { o: walk refill; p: walk packet; }
schedule three for cuda { q: walk refill; r: walk refill; }
schedule four for cuda { u: walk refill, coarsen 2, vector 2, stage shared; }
