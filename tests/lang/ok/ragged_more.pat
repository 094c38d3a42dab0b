// Rows of any length: types of one to eight bytes, terms that wait for their row, operators of every kind.
op far(a: f32, b: f32) -> f32 = abs(b) > abs(a) ? b : a identity 0, associative;
op low(a: i32, b: i32) -> i32 = min(a, b) identity i32.max, associative, commutative;
fn halved(x: i32) -> i32 {
	var v = x;
	while v % 2 == 0 && v != 0 { v = v / 2; }
	return v;
}
kernel doubles(off: i64[m+1], val: f64[nnz], col: i32[nnz], x: f64[n], a: f64, b: f64, inout y: f64[m]) {
	reduce y[r] = a * sum[e in off[r]..off[r+1]](val[e] * x[col[e]]) + b * y[r];
}
kernel bytes(off: u32[m+1], x: u8[n], out y: i32[m], out k: i64[m], out some: bool[m], out every: bool[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]), k[r] = count[e in off[r]..off[r+1]](x[e] > 100),
	       some[r] = any[e in off[r]..off[r+1]](x[e] == 7), every[r] = all[e in off[r]..off[r+1]](x[e] < 250);
}
kernel halves(off: i32[m+1], x: f16[n], w: bf16[n], out y: f32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1] where x[e] > 0](x[e] * f32(w[e]));
}
kernel smallest(off: i32[m+1], x: f32[n], out lo: f32[m], out hi: f32[m], out p: f32[m]) {
	reduce lo[r] = min[e in off[r]..off[r+1]](x[e]), hi[r] = max[e in off[r]..off[r+1]](x[e] + 1);
	reduce p[r] = far[e in off[r]..off[r+1]](x[e]);
}
kernel called(off: i32[m+1], x: i32[n], out y: i32[m], out z: i32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](halved(x[e])), z[r] = low[e in off[r]..off[r+1]](x[e]);
}
kernel of_row(off: i32[m+1], col: i16[nnz], w: f32[nnz], x: f32[m], out y: f32[m], out z: i64[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](w[e] * (x[r] - x[col[e]]));
	reduce z[r] = argmin[e in off[r]..off[r+1] where w[e] > 0](x[col[e]]);
}
kernel inner(off: i32[m+1], x: i32[n, k], out y: i32[m]) {
	reduce y[r] = max[e in off[r]..off[r+1]](sum[j](x[e, j]));
}
kernel some_rows(off: i32[m+3], x: i32[n], inout y: i32[m]) {
	reduce y[r] = sum[e in off[r+2]..off[r+3]](x[e]) for r in 1..m;
}
kernel conjugate(row: i32[n+1], col: i32[nnz], val: f32[nnz], inout p: f32[n], out s: f32, steps: i32) {
	let q: f32[n];
	repeat k < steps {
		reduce q[r] = sum[e in row[r]..row[r+1]](val[e] * p[col[e]]);
		reduce s = sum[i](p[i] * q[i]);
		map p[i] = 0.5 * q[i];
	}
}
const T: f32[4] = [1, 2, 3, 4];
struct Q { a: f32, b: i32 }
kernel structs(off: i32[m+1], q: Q[n], u: Q[n] layout aosoa(4), out y: f32[m], out z: i32[m], out w: f32[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](q[e].a), z[r] = max[e in off[r]..off[r+1]](q[e].b + u[e].b);
	reduce w[r] = sum[e in off[r]..off[r+1] where e < 4](u[e].a + (e < 4 ? T[e] : 0));
}
kernel plain(off: i32[m+1], x: f64[n, k], out y: f64[m]) {
	reduce y[r] = sum[e in off[r]..off[r+1]](k > 0 ? x[e, 0] : 1);
}
kernel trusting(off: i32[m+1], col: i64[nnz], val: f32[nnz], x: f32[nnz], out y: f32[m], out s: f32) {
	reduce y[r] = sum[e in off[r]..off[r+1]](val[e] * x[col[e]]) trusted;
	reduce s = sum[e](x[col[e]]) trusted;
}
test more {
	trusting(off = [0, 2, 2, 3], col = [0, 1, 1], val = [1, 2, 3], x = [10, 20, 0]) -> y = [50, 0, 60], s = 50;
	doubles(off = [0, 2, 2, 3], val = [1, 2, 3], col = [0, 1, 1], x = [10, 20], a = 2, b = 1, y = 1) -> y = [101, 1, 121];
	doubles(off = [0, 2, 1, 3], val = [1, 2, 3], col = [0, 1, 1], x = [10, 20], a = 2, b = 1, y = 1) -> y = [101, 1, 201] status index;
	bytes(off = [0, 2, 2, 3], x = [7, 101, 255]) -> y = [108, 0, 255], k = [1, 0, 1], some = [true, false, false], every = [true, true, false];
	halves(off = [0, 2, 2, 3], x = [1, -2, 3], w = [2, 3, 4]) -> y = [2, 0, 12];
	smallest(off = [0, 3, 3], x = [nan, -5, 4]) -> lo = [-5, inf], hi = [5, -inf];
	called(off = [0, 2, 2], x = [12, 8]) -> y = [4, 0], z = [8, i32.max];
	of_row(off = [0, 1, 3], col = [1, 0, 1], w = [1, 2, 3], x = [1, 3]) -> y = [-2, 4], z = [0, 1];
	inner(off = [0, 2, 2], x = [[1, 2], [3, 4]]) -> y = [7, i32.min];
	some_rows(off = [9, 9, 9, 0, 1, 3], x = [1, 2, 4], y = 5) -> y = [5, 1, 6];
	conjugate(row = [0, 1, 2], col = [1, 0], val = [2, 2], p = [1, 3], steps = 2) -> p = [1, 3], s = 12;
}
