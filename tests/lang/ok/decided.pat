// comparisons that the types decide: no compiler hears of them, whatever they choose between

fn both(u: u32) -> i32 { if u >= 0 { return 1; } return 2; }
fn none(u: u8) -> i32 { if i32(u) < 0 { return 1; } else if u32(u) > 300u32 { return 2; } return 3; }
fn ever(u: u64) -> i32 { var k: i32 = 0; while u >= 0 { k += 1; if k > 3 { return k; } } return 0; }
fn breaks(u: u64) -> i32 { var k: i32 = 0; while 0 <= u { k += 1; if k > 3 { break; } } return k; }
fn never(u: u16) -> i32 { var k: i32 = 7; while i64(u) > 65535 { k += 1; } return k; }
fn skips(u: u16) -> i32 { var k: i32 = 0; for i in 0..4 { if u >= 0 { continue; } k += 1; } return k; }

kernel forms(u: u32[n], b: u8[n], out y: i32[n, 12]) {
	map y[i, 0] = u[i] < 0 ? 1 : 2 for i in 0..n;
	map y[i, 1] = u[i] >= 0 ? 1 : 2 for i in 0..n;
	map y[i, 2] = 0 > u[i] ? 1 : 2 for i in 0..n;
	map y[i, 3] = 0 <= u[i] ? 1 : 2 for i in 0..n;
	map y[i, 4] = i32(b[i]) < 0 ? 1 : i64(b[i]) > 255 ? 2 : u32(b[i]) == 256 ? 3 : 4 for i in 0..n;
	map y[i, 5] = i32(min(u[i], 0u32)) + i32(max(b[i], 0u8)) + i32(abs(b[i])) for i in 0..n;
	map y[i, 6] = u[i] == u[i] && !(b[i] != b[i]) ? 1 : 2 for i in 0..n;
	map y[i, 7] = (u[i] & 6) == 9 || (u[i] | 4) == 3 ? 1 : (u[i] & 6) == 4 ? 2 : 3 for i in 0..n;
	map y[i, 8] = u32(i32(u[i]) < 0) > 1 ? 1 : abs(b[i]) >= 0 ? 2 : 3 for i in 0..n;
	map y[i, 9] = (u32(b[i]) & u32(b[i] / 2)) > 255 ? 1 : u32(b[i]) / (u[i] | 1) > 255 ? 2 : 3 for i in 0..n;
	map y[i, 10] = u64(u[i]) > 4294967295u64 ? 1 : u64(u[i]) - 1 > 4294967295u64 ? 2 : 3 for i in 0..n;
	map y[i, 11] = both(u[i]) + none(b[i]) + ever(u64(u[i])) + breaks(u64(u[i])) + never(u16(b[i])) + skips(u16(b[i])) for i in 0..n;
}

// what stays
kernel open(u: u32[n], s: i8[n], w: u64[n], out y: i32[n, 6]) {
	map y[i, 0] = u[i] <= 0 ? 1 : 0 < u[i] ? 2 : 3 for i in 0..n;
	map y[i, 1] = u32(s[i]) > 300 ? 1 : i32(s[i]) == -128 ? 2 : i64(s[i]) >= 127 ? 3 : 4 for i in 0..n;
	map y[i, 2] = i64(w[i]) < 0 ? 1 : w[i] > 9223372036854775807u64 ? 2 : 3 for i in 0..n;
	map y[i, 3] = u8(s[i]) > 127 ? 1 : (i32(s[i]) & 511) > 255 ? 2 : 3 for i in 0..n;
	map y[i, 4] = i16(u16(s[i])) < 0 ? 1 : i32(u[i]) < 0 ? 2 : 3 for i in 0..n;
	map y[i, 5] = (i32(s[i]) ^ 64) < -65 ? 1 : (i32(s[i]) ^ -1) > 126 ? 2 : 3 for i in 0..n;
}

// statements and what a kernel no longer reads
kernel guards(u: u32[n], x: i32[n], inout y: i32[n], inout h: i32[16], out z: i32[n], out s: i32, out c: i64) {
	map y[i] = x[i] where u[i] < 0;
	map y[i] += 1 where u[i] >= 0;
	reduce s = sum[i where u[i] >= 0](x[i]);
	reduce c = count[i](u[i] < 0);
	let k: i64;
	compact z, k = x[i] where u[i] >= 0;
	histogram h[u[i] & 15] += 1 where u[i] < 0;
	stencil y[i] = (u[i-1] < 0 ? x[i-1] : x[i+1]) boundary wrap where 0 <= u[i];
}
kernel unread(u: u16[n], out y: i32[n]) {
	map y[i] = u[i] < 0 ? 1 : 2;
}
kernel counted(a: u8, inout y: i32[n], inout d: u32) {
	repeat t < 3 { map y[i] += a >= 0 ? 1 : 2; }
	repeat until d >= 0 at most 5 { map y[i] += 1; map d = d + 1; }
}
test forms {
	forms(u = [0, 7, 4294967295], b = [0, 7, 255]) -> y = [
		[2, 1, 2, 1, 4, 0, 1, 3, 2, 3, 2, 19], [2, 1, 2, 1, 4, 14, 1, 3, 2, 3, 3, 19], [2, 1, 2, 1, 4, 510, 1, 3, 2, 3, 3, 19]];
}
