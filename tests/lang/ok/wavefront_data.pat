// what data decide, what stands outside, types, statements around
kernel chk(q: i32[n], x: i32[n], inout A: i32[n, n]) {
	wavefront A[i, j] = A[i-1, j-1] + A[i, j-1] boundary (j >= 0 ? x[q[j]] : 1);
}
kernel chk_lazy(c: i32[n], q: i32[n], x: i32[n], inout A: i32[n, n]) {
	wavefront A[i, j] = (c[j] & 1) != 0 ? A[i-1, j] : A[i, j-1] boundary (j >= 0 ? x[q[j]] : 1);
}
kernel chk_two(c: i32[n], q: i32[n], x: i32[n], inout A: i32[n, n], inout B: i32[n, n]) {
	wavefront A[i, j] = A[i-1, j] + x[c[i]], B[i, j] = A[i, j] - 2 * B[i, j-1] boundary (j >= 0 ? x[q[j]] : 1, 2);
}
kernel gather(q: u8[m], d: u8[n], s: i32[k, k], inout H: i32[m, n]) {
	wavefront H[i, j] = max(max(H[i-1, j] - 3, H[i, j-1] - 3), max(0, H[i-1, j-1] + s[q[i], d[j]])) boundary 0;
}
kernel gather_drop(q: u8[m], d: u8[n], s: i32[k, k], inout H: i32[m, n]) {
	wavefront H[i, j] = max(max(H[i-1, j] - 3, H[i, j-1] - 3), max(0, H[i-1, j-1] + s[q[i], d[j]])) boundary 0 drop;
}
kernel gather_let(q: u8[m], d: u8[n], s: i32[k, k], out R: i32[m, n]) {
	let H: i32[m, n];
	wavefront H[i, j] = max(max(H[i-1, j] - 3, H[i, j-1] - 3), max(0, H[i-1, j-1] + s[q[i], d[j]])) boundary 0 drop;
	map R[i, j] = H[i, j];
}
kernel follow(p: i32[m, n], inout A: i32[m, n], inout w: i32[n]) {
	wavefront A[i, j] = p[i, j] + w[A[i-1, j] & 7] boundary 1;
}
kernel rep(p: i32[m, n], inout A: i32[m, n], inout B: i32[m, n], t: i32) {
	repeat k < t {
		wavefront A[i, j] = p[i, j] + A[i-1, j] + B[i, j] - i32(k) boundary 1;
		swap A, B;
	}
}
kernel rep_let(p: i32[m, n], inout A: i32[m, n], t: i32) {
	repeat k < t {
		let B: i32[m, n];
		wavefront B[i, j] = p[i, j] + B[i-1, j] + A[i, j-1] boundary 1 for i in 0..m, j in 1..n;
		map A[i, j] = A[i, j] + B[i, j];
	}
}
kernel division(p: i32[m, n], inout A: i32[m, n], inout B: u64[m, n]) {
	wavefront A[i, j] = p[i, j] / A[i-1, j] + A[i, j-1] % p[i, j] boundary 1;
	wavefront B[i, j] = (B[i-1, j] << 3) ^ (B[i, j-1] >> 5) ^ B[i, j] boundary u64(i + j);
}
kernel after(p: i32[m, n], out A: i32[m, n], out s: i32, out r: i32[n]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j] - A[i, j-1] boundary 1;
	reduce s = max[i, j](A[i, j]);
	reduce r[j] = sum[i](A[i, j]);
	map A[i, j] = -A[i, j];
}
struct S { a: f32, b: i16, c: u8 }
op best(x: S, y: S) -> S = x.a >= y.a ? x : y associative;
kernel structs(p: f32[m, n], inout T: S[m, n]) {
	wavefront T[i, j] = best(best(T[i-1, j], S(p[i, j], i16(T[i, j-1].b + 1), T[i, j].c)), T[i-1, j-2])
		boundary S(0.5, 3, u8(i + 2 * j));
}
kernel folded(p: f32[m, n], x: f32[k, n], inout A: f32[m, n]) {
	wavefront A[i, j] = 0.25 * A[i-1, j] + 0.5 * A[i, j-1] + sum[l](x[l, j]) boundary 0;
}
fn f(a: f32, b: f32) -> f32 { var s: f32 = a; for q in 0..3 { if b > s { s = s + b; } else { s = 0.5 * s; } } return s; }
kernel user(p: f32[m, n], inout A: f32[m, n]) {
	wavefront A[i, j] = f(A[i-1, j], A[i, j-1]) - p[i, j] boundary 1;
}
kernel types(inout a: bool[m, n], inout b: i8[m, n], inout c: i16[m, n], inout d: i32[m, n], inout e: i64[m, n], inout f1: u8[m, n],
  inout g: u16[m, n], inout h: u32[m, n], inout k: u64[m, n]) {
	wavefront a[i, j] = a[i-1, j] ^ a[i, j] | a[i, j-1] boundary true;
	wavefront b[i, j] = i8(b[i-1, j] * 3 + b[i, j] - b[i, j-1]) boundary 3;
	wavefront c[i, j] = i16(c[i-1, j] * 3 + c[i, j] - c[i, j-1]) boundary 3;
	wavefront d[i, j] = d[i-1, j] * 3 + d[i, j] - d[i, j-1] boundary 3;
	wavefront e[i, j] = e[i-1, j] * 3 + e[i, j] - e[i, j-1] boundary 3;
	wavefront f1[i, j] = u8(f1[i-1, j] * 3 + f1[i, j] - f1[i, j-1]) boundary 3;
	wavefront g[i, j] = u16(g[i-1, j] * 3 + g[i, j] - g[i, j-1]) boundary 3;
	wavefront h[i, j] = h[i-1, j] * 3 + h[i, j] - h[i, j-1] boundary 3;
	wavefront k[i, j] = k[i-1, j] * 3 + k[i, j] - k[i, j-1] boundary 3;
}
kernel floats(inout a: f16[m, n], inout b: bf16[m, n], inout c: f32[m, n], inout d: f64[m, n]) {
	wavefront a[i, j] = 0.25 * a[i-1, j] + 0.5 * a[i, j] - 0.25 * a[i, j-1] boundary 0.5;
	wavefront b[i, j] = 0.25 * b[i-1, j] + 0.5 * b[i, j] - 0.25 * b[i, j-1] boundary 0.5 approx;
	wavefront c[i, j] = 0.25 * c[i-1, j] + 0.5 * c[i, j] - 0.25 * c[i, j-1] boundary 0.5 strict;
	wavefront d[i, j] = exp(-abs(d[i-1, j])) + 0.5 * d[i, j] - 0.25 * d[i, j-1] boundary 0.5;
}
kernel faraway(p: i32[m, n], inout A: i32[m, n]) {
	wavefront A[i, j] = p[i, j] + A[i-1, j+9] - A[i-3, j+1] + 3 * A[i+1, j-17] - 5 * A[i-64, j-64] boundary (i32(i * 3 + j));
}
kernel trusted(q: i32[n], x: i32[n], lo: i32, inout A: i32[n, n]) {
	wavefront A[i, j] = A[i-1, j-1] + x[q[i] & 0 + i32(i)] boundary 3 trusted;
}
kernel corner3(top: i32[n], left: i32[m], out A: i32[m, n]) {
	wavefront A[i, j] = A[i-1, j-1] + A[i, j-1] boundary (i < 0 ? j < 0 ? 0 : top[j] : left[i]);
}
kernel tri(top: i32[n], left: i32[n], out A: i32[n, n]) {
	map A[i, j] = 0;
	wavefront A[i, j] = A[i-1, j-1] + A[i, j-1] boundary (i < 0 ? j < 0 ? 0 : top[j] : left[i]) for i in 0..n, j in 0..i;
}
