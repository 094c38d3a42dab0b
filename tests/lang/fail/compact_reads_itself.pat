kernel in_place(inout x: f32[n], out k: i64) {
	compact x, k = x[i] where x[i] > 0;
}
kernel mask(x: f32[n], inout y: f32[n]) {
	compact y = x[i] where y[i] > 0;
}
kernel bound(x: f32[n], out y: f32[n], inout k: i64) {
	compact y, k = x[i] where x[i] > 0 for i in 0..k;
}
kernel count(x: f32[n], out y: f32[n], inout k: i64) {
	compact y, k = x[i] where i > k;
}
kernel early(x: f32[n], out y: f32[n], out k: i64) {
	compact y, k = x[i] where y[i] > 0;
}
