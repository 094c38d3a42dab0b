// Functions that read arrays: their shapes, names, and calls of each other.
fn a2(x: f32[n, 3], i: i64, j: i32) -> f32 {
	var s: f32 = 0;
	for k in 0..3 { s += x[i, k]; }
	return s + x[i, j];
}
fn a3(x: f32[n, m, n], i: i64, j: i64) -> f32 = x[i, j, i] + f32(n - m);
fn a8(x: i32[a, b, c, d, 2, 1, 3, e], q: i64) -> i32 {
	var s: i32 = 0;
	for i in 0..a {
		for j in 0..b {
			for k in 0..c {
				for l in 0..d {
					for r in 0..2 {
						for t in 0..3 {
							for u in 0..e {
								s += x[i, j, k, l, r, 0, t, u];
							}
						}
					}
				}
			}
		}
	}
	return s + x[q, q, q, q, q, q, q, q];
}
fn a4(x: f32[n + 1, m + 2], w: f32[n, m]) -> f32 {
	var s: f32 = 0;
	for i in 0..n { for j in 0..m { s += x[i + 1, j + 2] * w[i, j] + x[n, m + 1]; } }
	return s;
}
fn a5(x: f32[n - 1], y: f32[n]) -> f32 {
	var s: f32 = 0;
	for i in 0..n - 1 { s += x[i] * y[i]; }
	return s;
}
fn a6(x: f32[n], y: f32[m], z: f32[n + m], zz: f32[2 * n + 1]) -> f32 =
	n > 0 && m > 0 ? x[0] + y[0] + z[n + m - 1] + zz[2 * n] : 0;
fn a7(x: f32[n, n], y: f32[3]) -> f32 = n > 0 ? x[0, n - 1] + y[2] : y[1];
kernel walka_a(x: f32[n, 3], at: i64[m], inout y: f32[m]) { map y[i] = a2(x, at[i], i32(at[i])); }
kernel walka_b(x: f32[n, m, n], at: i64[k], inout y: f32[k]) { map y[i] = a3(x, at[i], at[i] + 1); }
kernel walka_c(x: i32[a, b, c, d, 2, 1, 3, e], at: i64[k], inout y: i32[k]) {
	map y[i] = a8(x, at[i] % 3);
}
kernel walka_d(x: f32[n + 1, m + 2], w: f32[n, m], inout y: f32[k]) { map y[i] = a4(x, w); }
kernel walka_e(x: f32[n], z: f32[n + 1], inout y: f32[k]) { map y[i] = a5(x, z); }
kernel walka_f(x: f32[n], y: f32[m], z: f32[n + m], zz: f32[2 * n + 1], inout o: f32) {
	map o = a6(x, y, z, zz);
}
kernel walka_g(x: f32[n, n], inout o: f32, q: f32[3]) { map o = a7(x, [q[0], q[1], q[2]]); }
fn f5(x: f32[kn], at: i32) -> f32 = x[at] + f32(kn);
fn patc(x: f32[x2], char: i32) -> f32 = x[char] + f32(x2);
fn f6(register: f32[goto], default: i32) -> f32 {
	var value: f32 = 0;
	var wrong: i32 = default;
	while wrong > 0 at most goto {
		value += register[wrong];
		wrong -= 1;
	}
	return value;
}
fn f7(x: f32[passes], most: i32) -> f32 {
	var last: f32 = 0;
	var i: i32 = most;
	while i > 0 at most passes {
		last += x[i];
		i = i - 2;
	}
	for j in 0..passes { last += x[j] * f32(most); }
	return last;
}
kernel walkn(f6: f32[n], at: i32[m], inout y: f32[m]) {
	map y[i] = f5(f6, at[i]) + patc(f6, at[i]) + f7(f6, at[i]);
}
kernel walkn_b(goto: f32[x], at: i32[m], inout y: f32[m]) {
	map y[i] = f6(goto, at[i]) + f7(goto, at[i]);
}
struct N { a: i32, w: f32 }
fn d1(x: N[n], at: i32) -> f32 = x[at].w;
fn d2(x: N[n], y: f32[n, m], at: i32) -> f32 {
	let q = d1(x, at);
	var s: f32 = 0;
	for j in 0..m { s += y[at, j] * q + d1(x, i32(j)); }
	return s;
}
fn d3(x: N[k], y: f32[k, l], at: i32) -> f32 {
	var s: f32 = 0;
	var p = at;
	while p >= 0 && d1(x, p) > 0 at most (k + l) {
		s += d2(x, y, p);
		p = x[p].a;
		if s > 100 { break; }
		if p == 3 {
			p = 1;
			continue;
		}
	}
	return s;
}
fn d4(x: N[k], y: f32[k, l], at: i32) -> N {
	return N(at, d3(x, y, at) + (at > 2 ? d3(x, y, at - 1) : 0));
}
kernel walkd_a(x: i32[n], w: f32[n], y: f32[n, m], inout o: f32[k], at: i32[k], inout p: i32[k]) {
	let t: N[n];
	let z: f32[n, m];
	map t[i] = N(x[i] % 5, w[i] * 2);
	map z[i, j] = y[i, j] + f32(x[i]);
	map o[i] = d3(t, z, at[i]);
	map o[i] = o[i] + d4(t, z, at[i]).w;
	map p[i] = d4(t, z, at[i]).a;
}
