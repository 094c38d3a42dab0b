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
