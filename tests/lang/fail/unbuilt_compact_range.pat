fn odd(i: i64) -> bool = i % 2 == 1;
kernel by_scalar(k: i64, x: i32[n], out y: i64[n]) {
	compact y = i where odd(i) for i in 0..k;
}
kernel by_count(x: i32[n], out y: i64[n], out z: i32[n], out k: i64) {
	compact z, k = x[i] where x[i] > 0;
	compact y = i where i < 3 || z[i] > 0 for i in 0..k;
}
