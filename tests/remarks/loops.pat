// patc --target=cuda
// Which loops one block runs, and which statements are in the way.
kernel steps(k: i64, inout x: f32[n], out s: f32) {
	repeat t < k {
		map x[i] = x[i] / 2 for i in t..n;
		if t % 2 == 0 { reduce s = sum[i](x[i]); }
	}
}
kernel outer(k: i32, at: i32[n], inout x: f32[n], inout y: i32[m]) {
	repeat t < k {
		histogram y[at[i]] += 1 drop;
		repeat u < k { map x[i] = x[i] / 2; }
	}
}
kernel cells(k: i32, inout x: f32[n], inout y: i64) {
	repeat t < k {
		let some: i64 = count[i](x[i] > 0);
		map x[i] = x[i] / 2 for i in 0..some;
	}
}
kernel terms(k: i32, row: i32[n+1], x: f32[m], inout y: f32[n]) {
	repeat t < k { reduce y[r] = sum[e in row[r]..row[r+1]](x[e]) + y[r]; }
}
kernel ranges(k: i32, row: i32[n+1], x: f32[n], inout y: f32[m]) {
	repeat t < k { map y[e] = x[r] for r in 0..n, e in row[r]..row[r+1]; }
}
