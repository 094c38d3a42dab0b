struct V { a: f32[2, 2], n: i32 }
op add(x: V, y: V) -> V = V([[x.a[0, 0] + y.a[0, 0], 0], [0, 0]], x.n + y.n) identity V([[1, 0], [0, 0]], 7), associative;
kernel f(x: V[n], out s: V) {
	reduce s = add[i](x[i]);
}
