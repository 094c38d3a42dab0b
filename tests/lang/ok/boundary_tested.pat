// What stands outside an array may be found by an index that only a call can judge: it leaves cells out, or terms of
// a fold, where it is used and nowhere else.
kernel one(x: f32[n], q: i32[4], t: f32[k], out y: f32[n]) {
	stencil y[i] = x[i-1] + x[i+1] boundary (t[q[0]]);
}
kernel mixed(x: f32[n, m], z: f32[n, m], q: i32[m], t: f32[9], out y: f32[n, m]) {
	stencil y[i, j] = x[i-1, j] + 2 * x[i+1, j+1] + z[i, j-1] boundary (t[q[clamp(j, 0, m-1)]], clamp);
}
kernel folded(x: f32[n, m], q: i32[m], t: f32[7], out y: f32[n, m]) {
	stencil y[i, j] = max[e in -1..2](x[i+e, j]) boundary (t[q[j]]);
}
kernel lazy(x: f32[n, m], q: i32[m], t: f32[7], inout y: f32[n, m]) {
	stencil y[i, j] = i % 2 == 0 ? x[i-2, j] : x[i+1, j] where q[j] != 3 && x[i, j] > 0 boundary (t[q[j]]);
}
kernel wave(x: i32[n, m], q: i32[m], t: i32[7], out y: i32[n, m]) {
	wavefront y[i, j] = max(y[i-1, j], y[i, j-1]) + x[i, j] boundary (j < 0 ? 2 : t[q[j]]);
}
kernel sums(x: i32[n, m], q: i32[n], t: i32[7], out y: i32[n, m]) {
	wavefront y[i, j] = y[i-1, j] - 2 * y[i, j-1] + x[i, j] boundary (t[q[max(i, 0)]]);
}
test of_one { one(x = [1, 2, 3], q = [1, 0, 0, 0], t = [5, 7]) -> y = [9, 4, 9]; }
test of_none { one(x = [1, 2, 3], q = [2, 0, 0, 0], t = [5, 7], y = 0) -> y = [0, 4, 0] status index; }
