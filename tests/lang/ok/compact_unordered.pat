// `unordered`: any order, the same for all arrays of a statement.  What is computed from such arrays is open.
struct Q { a: i8, b: f64 }

kernel any_order(x: f32[n], out y: f32[n], out at: i64[n], out k: i64) {
	compact y, k = x[i], at = i where x[i] > 0 unordered;
}
kernel any_parts(q: Q[n], out low: Q[n], out high: Q[m], out k: i32) {
	compact low, k = q[i] where q[i].b < 0 unordered else high;
}
kernel behind(x: i32[n], out y: i32[n], out z: i32[n], out k: i64, out s: i32) {
	compact y, k = x[i] where x[i] % 3 != 0 unordered;
	map z[j] = y[j] for j in 0..k;
	reduce s = sum[j in 0..k](y[j]);
}
kernel exchanged(x: u16[n], inout y: u16[n], inout z: u16[n], out k: i64) {
	compact y, k = x[i] where x[i] > 50 unordered;
	swap y, z;
}
