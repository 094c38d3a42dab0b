kernel three(x: f32[n], out y: f32[n], out k: i64, out m: i64) {
	compact y, k, m = x[i] where x[i] > 0;
}
kernel two_counts(x: f32[n], out y: f32[n], out z: f32[n], out k: i64, out m: i64) {
	compact y, k = x[i], z, m = x[i] where x[i] > 0;
}
kernel added(x: f32[n], inout y: f32[n]) {
	compact y += x[i] where x[i] > 0;
}
kernel nothing(x: f32[n], out y: f32[n], out k: i64) {
	compact y, k;
}
kernel everything(x: f32[n], out y: f32[n]) {
	compact y = x[i];
}
kernel number(x: f32[n], out y: f32[n]) {
	compact y = x[i] where x[i];
}
kernel rejects(x: f32[n], w: f32[n], out y: f32[n], out z: f32[n], out v: f32[n]) {
	compact y = x[i], z = w[i] where x[i] > 0 else v;
}
kernel too_many(x: f32[n], out y: f32[n], out z: f32[n], out v: f32[n]) {
	compact y = x[i] where x[i] > 0 else (z, v);
}
kernel both(x: f32[n], out y: f32[n]) {
	compact y = x[i] where x[i] > 0 stable unordered;
}
kernel sizes(x: f32[n], w: f32[m], out y: f32[n]) {
	compact y = x[i] where w[i] > 0;
}
kernel unbound(x: f32[n], out y: i64[n]) {
	compact y = i where i % 2 == 0;
}
kernel leaves(x: f32[n], out y: f32[n]) {
	compact y = x[i] where x[i+1] > 0 for i in 0..n;
}
kernel leaves_rejected(x: f32[n], out y: f32[n], out z: f32[n]) {
	compact y = x[i+1] where i + 1 < n else z for i in 0..n;
}
kernel no_index(x: f32[n], s: f32, out y: f32[n], out k: i64) {
	compact y, k = s where s > 0;
}
