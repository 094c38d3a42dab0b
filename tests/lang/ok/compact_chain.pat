// The count of a compact is a device scalar: it bounds what follows, in loops too.
struct P { x, y: f32, id: i32 }

kernel chain(x: f32[n], out y: f32[n], out z: f32[n], out k: i64, out s: f32, out top: f32) {
	compact y, k = x[i] where x[i] > 0;
	map z[j] = 2 * y[j] + f32(j) for j in 0..k;
	reduce s = sum[j in 0..k](y[j]), top = max[j in 0..k](y[j]);
}
kernel twice(x: i32[n], out y: i32[n], out z: i64[n], out k: i64) {
	let t: i32[n];
	let m: i64;
	compact t, m = 3 * x[i] where x[i] > -40;
	compact y, k = t[i], z = i where t[i] % 2 == 0 for i in 0..m;
}
kernel sieve(inout a: i32[n], inout b: i32[n], out left: i64) {
	map left = i64(n);
	repeat t < 3 {
		let m: i64;
		compact b, m = a[i] where a[i] % (i32(t) + 2) != 0 for i in 0..left;
		map left = m;
		swap a, b;
	}
}
kernel until_few(inout a: i32[n], inout b: i32[n], out left: i64, out rounds: i64) {
	map left = i64(n), rounds = i64(0);
	repeat until left < 5 at most 9 {
		let m: i64;
		compact b, m = a[i] where (a[i] + i32(i) + i32(rounds)) % 3 != 0 for i in 0..left;
		map left = m, rounds = rounds + 1;
		swap a, b;
	}
}
kernel fused(x: f32[n], out y: f32[n], out k: i64) {
	let t: f32[n];
	map t[i] = x[i] * x[i];
	compact y, k = t[i] where t[i] > 1;
}
kernel too_far(x: i32[n], k: i64, out y: i32[n], out m: i64) {
	let c: i64 = k;
	compact y, m = x[i] where x[i] > 2 for i in c..c + 50;
}
kernel apart(p: P[n] layout soa, out q: P[n] layout soa, out r: P[n] layout aosoa(4), out k: i64) {
	compact q, k = p[i] where p[i].x < p[i].y else r;
}
kernel turned(a: f32[n, m] layout col, v: i16[n, m], out y: f32[n + m], out w: i16[n + m], out k: i32) {
	compact y, k = a[i, j], w = v[i, j] where a[i, j] > 0.5;
}
kernel trusting(x: i32[n], out y: i32[n], out z: i32[n], out k: i64, out m: i64) {
	compact y, k = x[i] where x[i] > 1;
	compact z, m = y[i] - 1 where y[i] % 2 == 1 for i in 0..k trusted;
}
kernel fused_two(x: f32[n], w: f32[n], out y: f32[n], out z: f32[n], out v: f32[n], out k: i64) {
	let t: f32[n];
	let u: f32[n];
	map t[i] = x[i] + 1;
	map u[i] = 2 * w[i];
	compact y, k = t[i] where u[i] > 1 else z;
	map v[i] = t[i];
}
kernel not_in_place(inout x: f32[n], out k: i64) {
	let t: f32[n];
	map t[i] = x[i] + 1;
	compact x, k = t[i] where t[i] > 1;
}
