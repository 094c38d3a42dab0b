// patc --target=cuda
// Functions that read arrays: what their statements say of themselves.
struct Ball { x: f32, next: i32 }
fn chain(ball: Ball[k], from: i32) -> f32 {
	var at: i32 = from;
	var s: f32 = 0;
	while at >= 0 at most k { s += ball[at].x; at = ball[at].next; }
	return s;
}
kernel remark_walks(x: f32[k], next: i32[k], from: i32[m], inout y: f32[m]) {
	let ball: Ball[k];
	map ball[i] = Ball(x[i], next[i]);
	map y[i] = chain(ball, from[i]);
}
schedule remark_walks for cuda { layout soa; }
kernel scheduled(next: i32[n], from: i32[m], inout x: i32[m], inout y: i32[m], inout z: i32[m]) {
	one: map x[i] = end(next, from[i]);
	two: map y[i] = end(next, from[i] + 1);
	three: map z[i] = end(next, from[i] + 2);
}
fn end(next: i32[n], from: i32) -> i32 {
	var at: i32 = from;
	while at >= 0 && next[at] >= 0 at most n { at = next[at]; }
	return at;
}
schedule scheduled for cuda { one: walk thread, no fuse; two: walk refill, no fuse; three: walk packet, no fuse; }
kernel looped(next: i32[n], inout x: i32[m]) {
	repeat s < 3 {
		four: map x[i] = end(next, x[i]);
	}
}
schedule looped for cuda { four: walk refill; }
