// walk.pat - how deep keys are in a tree, by both schedules of walks.
struct Node { key, left, right: i32 }
fn depth(node: Node[k], key: i32) -> i32 {
	var at: i32 = 0;
	var steps: i32 = 0;
	while at >= 0 at most 64 {
		let here = node[at];
		if here.key == key { return steps; }
		at = key < here.key ? here.left : here.right;
		steps += 1;
	}
	return -1;
}
kernel down(node: Node[k], key: i32[n], inout y: i32[n], inout z: i32[n])
{
	one: map y[i] = depth(node, key[i]);
	two: map z[i] = depth(node, key[i]) where key[i] > 0;
}
schedule down for cuda {
	one: walk refill, no fuse;
	two: walk packet, no fuse;
}
schedule down for hip {
	one: walk refill, no fuse;
	two: walk packet, no fuse;
}
test tree {
	down(node = [Node(5, 1, 2), Node(3, -1, -1), Node(8, -1, 9)], key = [8, 3, 4, -1, 9], y = 7,
		z = 7)
		-> y = [1, 1, -1, -1, 7], z = [1, 1, -1, 7, 7] status index;
}
