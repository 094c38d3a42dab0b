// Functions that read arrays of every type, and give every kind of value.
struct V { a: f32[3], k: i32 }
fn g8(x: u8[n], at: i32) -> u8 = x[at] + 1;
fn gh(x: f16[n], at: i32) -> f16 = x[at] * 2;
fn gb(x: bf16[n], at: i32) -> bf16 = x[at] + 1;
fn gl(x: bool[n], at: i32) -> bool = !x[at];
fn gi(x: i64[n], at: i32) -> i64 = x[at] * 3;
fn gu(x: u64[n], at: u64) -> u64 = x[at] / 3;
fn gs(x: i16[n], at: u32) -> i16 = x[at] / 3;
fn gv(x: V[n], at: i32) -> f32 {
	let v = x[at];
	return v.a[0] + v.a[1] + f32(v.k);
}
fn gw(x: V[n], at: i32) -> V = x[at];
fn gx(x: V[n], at: i32) -> f32 = x[at].a[2];
kernel walkt_a(x: u8[n], at: i32[m], inout y: u8[m]) { map y[i] = g8(x, at[i]); }
kernel walkt_b(x: f16[n], at: i32[m], inout y: f16[m]) { map y[i] = gh(x, at[i]); }
kernel walkt_c(x: bf16[n], at: i32[m], inout y: bf16[m]) { map y[i] = gb(x, at[i]); }
kernel walkt_d(x: bool[n], at: i32[m], inout y: bool[m]) { map y[i] = gl(x, at[i]); }
kernel walkt_e(x: i64[n], at: i32[m], inout y: i64[m]) { map y[i] = gi(x, at[i]); }
kernel walkt_f(x: u64[n], at: u64[m], inout y: u64[m]) { map y[i] = gu(x, at[i]); }
kernel walkt_s(x: i16[n], at: u32[m], inout y: i16[m]) { map y[i] = gs(x, at[i]); }
kernel walkt_g(x: V[n], at: i32[m], inout y: f32[m]) { map y[i] = gv(x, at[i]) + gx(x, at[i] + 1); }
kernel walkt_h(x: V[n], at: i32[m], inout y: V[m]) { map y[i] = gw(x, at[i]); }
struct Square { m: f32[2, 2], k: i32 }
fn vec(x: f32[n], at: i32) -> f32[3] { return [x[at], x[at + 1], x[at + 2]]; }
fn vecs(x: f32[n], at: i32, j: i32) -> f32 {
	var s: f32[3] spill;
	s = vec(x, at);
	return s[j];
}
fn sumv(v: f32[3]) -> f32 = v[0] + v[1] + v[2];
fn mk(x: f32[n], at: i32) -> Square {
	var a: Square;
	a.k = at;
	for i in 0..2 { for j in 0..2 { a.m[i, j] = x[at + 2 * i32(i) + i32(j)]; } }
	return a;
}
fn arg(x: Square[n], v: f32[3], at: i32) -> f32 {
	let a = x[at];
	return a.m[0, 1] + v[2] + x[at].m[1, 0];
}
fn neg(x: i32[n], lim: i32, from: i32) -> i32 {
	var k = from;
	var c: i32 = 0;
	while k > 0 at most (lim - 3) {
		k = k - 1;
		c += 1;
	}
	return c + i32(n);
}
fn huge(x: i32[n], from: i32) -> i32 {
	var k = from;
	var c: i32 = 0;
	while k > 0 at most 9223372036854775807 {
		k = k / 2;
		c += 1;
	}
	return c + i32(n) + x[0];
}
fn u64lim(x: u64[n], from: i32) -> i32 {
	var k = from;
	var c: i32 = 0;
	while k > 0 at most (i64(x[0]) - 5) {
		k = k / 2;
		c += 1;
	}
	return c;
}
fn changing(lim: i32, from: i32) -> i32 {
	var k = from;
	var l = lim;
	while k > 0 at most l {
		k -= 1;
		l += 1;
	}
	return k + l;
}
fn nested(x: i32[n], from: i32) -> i32 {
	var c: i32 = 0;
	var k = from;
	while k > 0 at most 10 {
		var j = k;
		while j > 0 at most (c + 4) {
			j -= 2;
			c += 1;
			if c == 7 { continue; }
			if c > 40 { break; }
		}
		for q in 0..n {
			if x[q] == k {
				k -= 1;
				continue;
			}
			if q > 2 { break; }
			c += 1;
		}
		k -= 1;
	}
	return c;
}
fn ret(x: i32[n], from: i32) -> i32 {
	var k = from;
	while true at most 20 {
		if k <= 0 { return -k; }
		k -= x[k & 1];
	}
	return 77;
}
kernel walkv_a(x: f32[n], at: i32[m], inout y: f32[m]) {
	map y[i] = vecs(x, at[i], at[i] & 1) + sumv(vec(x, at[i]));
}
kernel walkv_b(x: f32[n], at: i32[m], inout y: Square[m]) { map y[i] = mk(x, at[i]); }
kernel walkv_c(x: Square[n], at: i32[m], inout y: f32[m]) {
	map y[i] = arg(x, [1, 2, f32(i)], at[i]);
}
kernel walkv_d(x: i32[n], at: i32[m], inout y: i32[m]) {
	map y[i] = neg(x, at[i] % 20, at[i] % 10);
}
kernel walkv_e(x: i32[n], at: i32[m], inout y: i32[m]) { map y[i] = huge(x, at[i]); }
kernel walkv_f(x: u64[n], at: i32[m], inout y: i32[m]) { map y[i] = u64lim(x, at[i] % 1024); }
kernel walkv_g(at: i32[m], inout y: i32[m]) {
	map y[i] = changing(at[i] % 7, at[i] % 8);
}
kernel walkv_h(x: i32[n], at: i32[m], inout y: i32[m]) { map y[i] = nested(x, at[i] % 8); }
kernel walkv_i(x: i32[n], at: i32[m], inout y: i32[m]) { map y[i] = ret(x, at[i] % 128); }
struct Three { v: f32[3], a: f32 }
kernel walkv_j(x: f32[n], at: i32[m], inout y: Three[m]) {
	map y[i].v = vec(x, at[i]), y[i].a = sumv(vec(x, at[i] + 1));
}
