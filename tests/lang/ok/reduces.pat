// Every built fold, along axes and to scalars, several in one pass, arithmetic around.
op hyp(a: f32, b: f32) -> f32 = sqrt(a * a + b * b) assume identity 0, associative, commutative;
op weird(a: i32, b: i32) -> i32 { if a > b { return a; } return b; } identity i32.min, assume associative;
kernel reduces(x: f32[n], A: f32[n, m], k: u8[n], b: bool[n], e: i32[4],
               out s: f32, out lo: f32, out hi: f32, out c: i64, out all_: bool, out any_: bool,
               out row: f32[n], out col: f64[m], out mean: f32, out w: i32, out p: u8, out y: f32[n]) {
	reduce s = sum[i](x[i] * x[i]);
	reduce lo = min[i](x[i]), hi = max[i](x[i]);
	reduce c = count[i](x[i] > 0), all_ = all[i](b[i]), any_ = any[i](b[i]);
	reduce row[i] = sum[j](A[i, j]);
	reduce col[j] = sum[i](f64(A[i, j]));
	reduce mean = sum[i, j](A[i, j]) / (f32(n) * f32(m)) + s;
	reduce w = weird[i](e[i]);
	reduce p = sum[i](k[i]);
	reduce y[i] = x[i] - hyp[j](A[i, j]) * prod[l in 0..3](x[i]);
	reduce hi = max[i where b[i]](x[i]);
	reduce s += sum[i in 0..n](1) * 0.5;
	reduce hi max= max[i, j](A[i, j]);
	reduce row[i] = sum[j in 0..m-1](A[i, j] * A[i, j+1]);
}
