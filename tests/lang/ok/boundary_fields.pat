// A boundary's value where a field is read, and the cell itself may lie outside: the range ends where data say.
struct Pair { x, y: i32 }
kernel fields(x: i32[n], inout w: Pair[n], out z: i32[n])
{
	let t: i64;
	reduce t = count[i](x[i] > 0);
	stencil w[i].y -= x[i-1] + w[i].y boundary 3 for i in 1..min(t, n);
	map z[i] = w[i].x;
}

// v ends before z does: its own cell has the boundary's value there.
kernel shorter(v: Pair[n], x: i32[n], out z: i32[m])
{
	stencil z[i] = v[i].y + x[i-1] boundary 3;
}
test of_fields {
	fields(x = [1, 2, 0, 5], w = [Pair(1, 2), Pair(3, 4), Pair(5, 6), Pair(7, 8)]) -> z = [1, 3, 5, 7];
	shorter(v = [Pair(1, 2), Pair(3, 4)], x = [10, 20], m = 4) -> z = [5, 14, 23, 6];
}
