struct Node { key: i32, skip: i32 }
fn hit(r: f32, node: Node[k], tri: f32[m]) -> f32 {
	var at: i32 = 0;
	var best: f32 = 0;
	while at >= 0 at most k {
		if tri[node[at].key] > r { best = best + tri[node[at].key]; }
		at = node[at].skip;
	}
	return best;
}
fn total(x: f32[n + 1], w: f32[n]) -> f32 {
	var s: f32 = 0;
	for i in 0..n { s += x[i] * w[i]; }
	return s;
}
kernel shoot(node: Node[k], tri: f32[m], r: f32[n], inout y: f32[n]) {
	map y[i] = hit(r[i], node, tri) + 1;
}
kernel sum(x: f32[n + 1], w: f32[n], out y: f32[m]) {
	map y[i] = f32(i) * total(x, w);
}
test a {
	shoot(node = [Node(0,1),Node(2,2),Node(1,-1)], tri=[1,2,3], r=[0, 1, 2.5], y = 7) -> y=[7, 6, 4];
	shoot(node = [Node(0,1),Node(2,2),Node(5,-1)], tri=[1,2,3], r=[0, 1, 2.5], y = 7) -> y=[7, 7, 7] status index;
	shoot(node = [Node(0,1),Node(2,2),Node(1,0)], tri=[1,2,3], r=[0, 1, 2.5], y = 7) -> y=[7, 7, 7] status endless;
	sum(x=[1,2,3,4], w=[1,1,2], m=2) -> y=[0, 9];
}
