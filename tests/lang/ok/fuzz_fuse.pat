// what random programs found in fuse
// the reader writes the temporary that it reads: its next equation wants the new value
kernel rewritten(x: i32[n], out y: i32[n], out z: i32[n]) {
	let t: i32[n];
	let u: i32[n];
	map t[i] = x[i];
	map t[i] = t[i] * i32(i), u[i] max= i32(i) % t[i];
	map y[i] = u[i];
	let v: i32[n];
	map v[i] = 2 * x[i];
	map v[i] += 1, z[i] = v[i] - x[i];
}
// what says where items go, or which cells are fetched, is computed there, and what an item brings; the tests stay
struct Hit { at: i32, w: f32 }
fn bin(x: f32) -> i32 = i32(floor(4 * x));
kernel places(x: f32[n], y: f32[n], inout h: i32[8], inout g: f32[m], inout o: u8[m]) {
	let t: f32[n]; let k: i32[n]; let w: f32[n]; let b: u8[n]; let at: Hit[n]; let s: i32[n];
	map t[i] = x[i] * y[i] + 1;
	histogram h[bin(t[i])] += 1;
	map k[i] = 2 * bin(x[i]) - 1, w[i] = 2 * y[i] - 1;
	map at[i] = Hit(bin(y[i]), 3 * x[i]);
	scatter g[at[i].at] += at[i].w drop;
	map b[i] = u8(bin(y[i]) & 7);
	scatter g[k[i]] max= w[i] where b[i] != 3;
	map s[i] = i32(x[i]) + 1;
	histogram o[s[i]] += 1 strict;
}
kernel fetched(x: f32[n], k: i32[m], c: f32[m], inout y: f32[m], inout z: f32[m], inout u: f32[m]) {
	let a: i32[m]; let b: f32[m]; let t: f32[n]; let v: f32[m];
	map a[i] = 2 * k[i] - 1;
	map b[i] = sqrt(abs(c[i])) + c[i];
	gather y[i] = x[a[i]] * b[i] - b[i];
	map t[i] = 3 * x[i];
	gather z[i] = t[k[i]] + 1 drop;
	map v[i] = c[i] + 2;
	gather u[i] = k[i] > 3 ? v[i] : v[i] + x[k[i]];
}
kernel judged(x: f32[n], y: f32[n], out q: Hit[n], out c: i64, out d: i64, inout far: f32[n], k: i32[n]) {
	let t: Hit[n]; let u: f32[n];
	map t[i] = Hit(bin(x[i]), y[i] + 1);
	compact q, c = t[i] where t[i].w > x[i];
	map u[i] = x[i] * y[i] - 1;
	compact far, d = u[i] where x[k[i]] > u[i];
}
test of_places {
	places(x = [0.25, 0.5, 9], y = [1, -4, 0], h = 0, g = [1, 0], o = [0, 0])
		-> h = [0, 0, 0, 0, 1, 1, 0, 0], g = [28, 1], o = [0, 2] status index;
	fetched(x = [10, 20], k = [1, 0, 4], c = [4, 9, 0], y = 7, z = 7, u = 7) -> y = [114, 7, 7], z = [61, 31, 7], u = [26, 21, 2] status index;
	judged(x = [1, 2, 3], y = [2, 0, 3], far = 0, k = [2, 5, 2]) -> q = [Hit(4, 3), Hit(12, 4), Hit(0, 0)], c = 2, d = 1, far = [1, 0, 0] status index;
}
