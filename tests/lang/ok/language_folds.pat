// folds: along every subset of axes, every operator and type, masks, nesting, arithmetic around
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;
op first(a: i32, b: i32) -> i32 = a assume identity 0, assume associative;
op last(a: i64, b: i64) -> i64 = b < 0 ? a : b assume identity -1, assume associative;
op latest(a: u32, b: u32) -> u32 = b % 3 != 0 ? b : a assume associative;
op xr(a: u32, b: u32) -> u32 = a ^ b identity 0, associative, commutative;
op gcd(a: u32, b: u32) -> u32 {
	var x = a;
	var y = b;
	while y != 0 { let t = x % y; x = y; y = t; }
	return x;
} identity 0, associative, commutative;
op mat(a: f64, b: f64) -> f64 = a + b - a * b assume identity 0, assume associative, commutative;
kernel axes(A: f32[n, m, l], out a: f32, out b: f32[n], out c: f32[m], out d: f32[l], out e: f32[n, m], out f: f32[n, l], out g: f32[m, l]) {
	reduce a = sum[i, j, k](A[i, j, k]);
	reduce b[i] = sum[j, k](A[i, j, k]);
	reduce c[j] = sum[i, k](A[i, j, k]);
	reduce d[k] = sum[i, j](A[i, j, k]);
	reduce e[i, j] = sum[k](A[i, j, k]);
	reduce f[i, k] = sum[j](A[i, j, k]);
	reduce g[j, k] = sum[i](A[i, j, k]);
}
kernel axes_max(A: i16[n, m, l], out a: i16, out b: i16[n], out c: i16[m], out d: i16[l], out e: i16[n, m], out f: i16[n, l], out g: i16[m, l]) {
	reduce a = max[i, j, k](A[i, j, k]);
	reduce b[i] = min[j, k](A[i, j, k]);
	reduce c[j] = max[i, k](A[i, j, k]);
	reduce d[k] = min[i, j](A[i, j, k]);
	reduce e[i, j] = max[k](A[i, j, k]);
	reduce f[i, k] = min[j](A[i, j, k]);
	reduce g[j, k] = max[i](A[i, j, k]);
}
kernel order(A: f64[n, m, l], out b: f64[l, n], out c: f64[m, l, n], out d: f64) {
	reduce b[k, i] = sum[j](A[i, j, k]);
	reduce c[j, k, i] = sum[q in 0..1](A[i, j, k]);
	reduce d = sum[k, i, j](A[i, j, k] * A[i, j, k]);
}
kernel ops1(x: i8[n], y: u8[n], z: i16[n], w: u16[n], out a: i8, out b: u8, out c: i16, out d: u16, out e: i32, out f: u32) {
	reduce a = sum[i](x[i]);
	reduce b = prod[i](y[i] | 1);
	reduce c = min[i](z[i]), d = max[i](w[i]);
	reduce e = sum[i](i32(x[i]) * z[i]);
	reduce f = max[i](u32(w[i]) * y[i]);
}
kernel ops2(x: i32[n], y: u32[n], z: i64[n], w: u64[n], out a: i32, out b: u32, out c: i64, out d: u64, out e: i64, out f: u64) {
	reduce a = sum[i](x[i]);
	reduce b = prod[i](y[i]);
	reduce c = min[i](z[i]), d = max[i](w[i]);
	reduce e = prod[i](z[i] | 1);
	reduce f = sum[i](w[i]);
}
kernel ops3(x: f64[n], b: bool[n], out a: f64, out c: i64, out d: bool, out e: bool, out f: f64, out g: i32) {
	reduce a = max[i](x[i]), f = min[i](abs(x[i]));
	reduce c = count[i](b[i] && x[i] > 0), d = any[i](x[i] > 1.9), e = all[i](x[i] > -1.99);
	reduce g = sum[i](i32(b[i]));
}
kernel user1(x: f32[n], k: u32[n], out a: f32, out b: u32, out c: u32) {
	reduce a = lse[i](x[i]);
	reduce b = xr[i](k[i]);
	reduce c = gcd[i](k[i] % 1000);
}
kernel user2(A: f32[n, m], k: u32[n, m], out a: f32[n], out b: u32[m], out c: u32[n]) {
	reduce a[i] = lse[j](A[i, j]);
	reduce b[j] = xr[i](k[i, j]);
	reduce c[i] = gcd[j](k[i, j] % 1000);
}
kernel user3(x: i64[n], A: i64[n, m], out a: i64, out b: i64[n], out c: i64[m]) {
	reduce a = last[i](x[i]);
	reduce b[i] = last[j](A[i, j]);
	reduce c[j] = last[i](A[i, j]);
}
kernel user4(x: f64[n], out a: f64, out b: f64) {
	reduce a = mat[i](x[i] * 0.125);
	reduce b = mat[i where x[i] > 0](x[i] * 0.125) * 2 + 1;
}
kernel user5(inout y: f32[n], x: f32[n], inout k: u32[n], inout s: f32) {
	map y[i] lse= x[i];
	map k[i] xr= 0xff00ff;
	map k[i] gcd= 12;
	map s lse= 1.5;
	reduce s lse= lse[i](x[i]);
}
kernel noident(x: u32[n], t: u32[4], out a: u32, out b: u32[n]) {
	reduce a = latest[i](t[i]);
	reduce b[i] = latest[k in 0..3](x[i] + u32(k));
}
kernel masks(x: f32[n], A: f32[n, m], b: bool[n], out a: f32, out c: f32[n], out d: i64, out e: f32[m]) {
	reduce a = sum[i where b[i]](x[i]);
	reduce c[i] = max[j where A[i, j] < x[i]](A[i, j]);
	reduce d = count[i, j where i < j](A[i, j] > 0);
	reduce e[j] = sum[i where b[i] && i > j](A[i, j]) where j % 2 == 0;
}
kernel nested(x: f32[n], A: f32[n, m], out a: f32, out b: f32, out c: f32[n]) {
	reduce a = max[i](sum[j](A[i, j]));
	reduce b = sum[i](x[i] * max[j](abs(A[i, j])));
	reduce c[i] = sum[j](A[i, j] * sum[k in 0..j](A[i, k]));
}
kernel arith(x: f32[n], out mean: f32, out var_: f32, out rng: f32, out norm: f32, out z: f32) {
	reduce mean = sum[i](x[i]) / f32(max(n, 1));
	reduce var_ = sum[i]((x[i] - mean) * (x[i] - mean)) / f32(max(n, 1));
	reduce rng = max[i](x[i]) - min[i](x[i]);
	reduce norm = sqrt(sum[i](x[i] * x[i])) + max[i](abs(x[i])) * 2;
	reduce z = sum[i](x[i] * x[i]) - sum[i](x[i]) * sum[i](x[i]) + 1;
}
kernel domains(x: f32[n], y: f32[m], A: f32[n, m], out a: f32, out b: f32[n]) {
	reduce a = sum[i](x[i]) * 0.5 + sum[j](y[j]) + max[i in 0..n/2](x[i]);
	reduce b[i] = x[i] * max[j](y[j]) + sum[j](A[i, j]) - min[k in 0..2](x[i] * f32(k));
}
kernel matvec(A: f32[n, m], x: f32[m], y: f32[n], out a: f32[n], out b: f32[m], out c: f32) {
	reduce a[i] = sum[j](A[i, j] * x[j]);
	reduce b[j] = sum[i](A[i, j] * y[i]);
	reduce c = sum[i, j](y[i] * A[i, j] * x[j]);
}
kernel matmat(A: f32[n, m], B: f32[m, l], out C: f32[n, l], out D: f32[n, n], out E: f32[n, l]) {
	reduce C[i, j] = sum[k](A[i, k] * B[k, j]);
	reduce D[i, j] = sum[k](A[i, k] * A[j, k]);
	reduce E[i, j] = min[k](A[i, k] + B[k, j]);
}
kernel batch(A: f32[b, n, m], x: f32[b, m], out y: f32[b, n], out z: f32[b]) {
	reduce y[q, i] = sum[k](A[q, i, k] * x[q, k]);
	reduce z[q] = max[i, k](A[q, i, k]);
}
kernel triangle(A: f32[n, n], out a: f32[n], out b: f32[n], out c: f32) {
	reduce a[i] = sum[j in 0..i](A[i, j]);
	reduce b[i] = sum[j in i..n](A[i, j]);
	reduce c = sum[i in 0..n, j in 0..i](A[i, j] * A[j, i]);
}
kernel shifts(x: f32[n], out a: f32, out b: f32[n], out c: f32) {
	reduce a = sum[i in 1..n]((x[i] - x[i-1]) * (x[i] - x[i-1]));
	reduce b[i] = sum[k in 0..n](x[k] * x[n-1-k]);
	reduce c = max[i in 0..n-1](abs(x[i+1] - x[i]));
}
kernel stride(x: f32[2*n], out a: f32, out b: f32[n]) {
	reduce a = sum[i in 0..n](x[2*i] - x[2*i+1]);
	reduce b[i] = max[k in 0..2](x[2*i+k]);
}
kernel mixed(x: f32[n], k: i32[n], out s: f64, out m: f32, out c: i64, out p: i64) {
	reduce s = sum[i](f64(x[i])), m = max[i](x[i]), c = count[i](k[i] > 3), p = sum[i](i64(k[i]) * i);
}
kernel small(x: f32[n, 3], out a: f32[n], out b: f32[n], out c: f32[3]) {
	reduce a[i] = sqrt(sum[k](x[i, k] * x[i, k]));
	reduce b[i] = max[k](x[i, k]) - min[k](x[i, k]);
	reduce c[k] = sum[i](x[i, k]) / f32(max(n, 1));
}
kernel inorder(x: i64[n], A: i64[n, m], B: i64[n, m, l], out a: i64, out b: i64[n], out c: i64[m], out d: i64, out e: i64, out f: i64[m]) {
	reduce a = last[i](abs(x[i] % 1000));
	reduce b[i] = last[j](abs(A[i, j] % 1000));
	reduce c[j] = last[i](abs(A[i, j] % 1000));
	reduce d = last[i, j](abs(A[i, j] % 100));
	reduce e = last[i, j, k](abs(B[i, j, k] % 100));
	reduce f[j] = last[i, k](abs(B[i, j, k] % 100));
}
kernel inorder2(x: i64[n], A: i64[n, m], out y: i64[n], out a: i64, out z: i64[n, m], out b: i64, out c: i64) {
	map y[i] = abs(x[i] % 1000);
	reduce a = last[i](y[i]);
	stencil z[i, j] = abs(A[i, j] % 1000) + abs(A[i-1, j] % 100) boundary clamp;
	reduce b = last[i, j](z[i, j]), c = first64[i, j](z[i, j]);
}
op first64(a: i64, b: i64) -> i64 = a < 0 ? b : a assume identity -1, assume associative;
