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

// in a loop the block that arrives last folds what all found
kernel looped(a: i8[n, m], b: i16[n, m], c: i32[n, m], d: i64[n, m], e: u8[n, m], f: u16[n, m], g: u32[n, m], h: u64[n, m],
              p: f32[n, m], q: f64[n, m], u: bool[n, m], steps: i32,
              inout sa: i8, inout sb: i16, inout sc: i32, inout sd: i64, inout se: u8, inout sf: u16, inout sg: u32, inout sh: u64,
              inout sp: f32, inout sq: f64, inout su: bool, inout col: u64[m], inout row: u8[n]) {
	repeat t < steps {
		reduce sa = max[i, j](a[i, j]), sb = min[i, j](b[i, j]), sc = sum[i, j](c[i, j]), sd = max[i, j](d[i, j]);
		reduce se = max[i, j](e[i, j]), sf = min[i, j](f[i, j]), sg = sum[i, j](g[i, j]), sh = max[i, j](h[i, j]);
		reduce sp = max[i, j](p[i, j]), sq = min[i, j](q[i, j]), su = any[i, j](u[i, j]);
		reduce col[j] = max[i](h[i, j]);
		reduce row[i] = max[j](e[i, j]);
	}
}

// operators of narrow types fold in them
op or_i8(a: i8, b: i8) -> i8 = a | b identity 0, associative, commutative;
op or_i16(a: i16, b: i16) -> i16 = a | b identity 0, associative, commutative;
op or_u8(a: u8, b: u8) -> u8 = a | b identity 0, associative, commutative;
op or_u16(a: u16, b: u16) -> u16 = a | b identity 0, associative, commutative;
kernel narrow(a: i8[n, m], b: i16[n, m], e: u8[n, m], f: u16[n, m], steps: i32,
              inout sa: i8, inout sb: i16, inout se: u8, inout sf: u16) {
	repeat t < steps {
		reduce sa = or_i8[i, j](a[i, j]), sb = or_i16[i, j](b[i, j]), se = or_u8[i, j](e[i, j]), sf = or_u16[i, j](f[i, j]);
	}
}
