kernel grid(from: i32[n, m], to: i32[n, m], x: f32[k], inout s: f32[8]) {
	scatter s[e % 8] += x[e] for i in 0..n, j in 0..i, e in from[i, j]..to[i, j];
}
kernel twice(row: i32[m+1], at: i32[n+1], x: f32[k], out s: f32[8], out c: i64) {
	compact s, c = x[g] where x[g] > 0 for f in 0..m, e in row[f]..row[f+1], g in at[e]..at[e+1];
}
kernel open_end(c: i64, row: i32[m+1], x: f32[k], inout s: f32[8]) {
	scatter s[e % 8] += x[e] for f in 0..c, e in row[2*f]..row[2*f+1];
}
kernel below(row: i32[m+1], x: f32[k], inout s: f32[8]) {
	scatter s[e % 8] += x[e] for f in 0-2..m-2, e in row[f+2]..row[f+3];
}
kernel order(row: i32[m+1], x: f32[k], inout s: f32[8], out n: i64) {
	compact s, n = x[e] where x[e] > j for f in 0..m, e in row[f]..row[f+1], j in 0..f;
}
kernel common(lo: i32[m], hi: i32[m], x: f32[m], inout y: f32[n]) {
	gather y[e] = x[f] for f in 0..m, e in lo[f]..hi[f];
}
kernel wide(row: i32[l, m+1], x: f32[l, m], inout y: f32[n]) {
	gather y[e] = x[i, f] for i in 0..l, f in 0..m, e in row[i, f]..row[i, f+1];
}
kernel hops(row: i32[m+1], at: i32[n+1], x: f32[m], inout y: f32[k]) {
	gather y[g] = x[f] for f in 0..m, e in row[f]..row[f+1], g in at[e]..at[e+1];
}
kernel needless(x: f32[n], out y: f32[n]) {
	map y[i] = x[i] unique;
}
kernel other(row: i32[m+1], x: f32[n], inout y: f32[n]) {
	stencil y[e] = x[e-1] boundary clamp for f in 0..m, e in row[f]..row[f+1];
}
