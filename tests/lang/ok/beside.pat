// Statements over the same cells are one kernel where nothing forbids it: maps, stencils and totals that share an array.
struct Pair { x: f32, y: f32 }
struct Small { a: u8, b: u16 }
kernel maps(x: f32[n], v: f64[n], b: u8[n], inout w: f32[n], out y: f32[n], out z: f64[n], out c: u8[n], out h: f16[n]) {
	map y[i] = x[i] * 2;
	alone: map z[i] = x[i] + v[i];
	map c[i] = b[i] ^ u8(1);
	map h[i] = f16(f32(b[i]));
	map w[i] = w[i] + x[i];
}
// What is stored is used at the cell at hand: rounded to its type, once.
kernel stored(x: f32[n, m], out y: f16[n, m], out z: f32[n, m], out u: i32[n, m], inout t: f32[n, m]) {
	map y[i, j] = f16(x[i, j] / 3);
	map z[i, j] = f32(y[i, j]) * 3;
	map t[i, j] = t[i, j] + z[i, j];
	map u[i, j] = i32(t[i, j]) + i32(x[i, j]);
}
// The earlier one reads what the later one writes.
kernel behind(inout x: f32[n], inout y: f32[n]) {
	map y[i] = y[i] + x[i];
	map x[i] = y[i] * 0.5;
}
kernel parts(inout p: Pair[n], s: Small[n], out q: Small[n], out d: f32[n], out r: Pair[n]) {
	map p[i].x = p[i].x + p[i].y;
	map p[i].y = p[i].x - p[i].y;
	map d[i] = p[i].x * p[i].y;
	map q[i] = Small(s[i].a, s[i].b);
	map r[i] = p[i];
	map p[i] = Pair(r[i].y, p[i].x);
	map d[i] = d[i] + f32(s[i].a);
}
// Not the cell at hand, a statement between, other ranges, a mask.
kernel apart(x: f32[n], inout y: f32[n], inout z: f32[n], inout w: f32[n], out e: f32[n]) {
	map y[i] = x[i] + 1;
	stencil z[i] = x[i] + y[i-1] boundary clamp;
	map w[i] = x[i] * w[i];
	map y[i] = y[i] + z[i];
	map e[i] = x[i] + y[i];
	map w[i] = x[i] for i in 1..n;
	map w[i] = w[i] - x[i] where x[i] > 0;
}
kernel totals(x: f32[n], v: i32[n], out s: f64, out m: f32, out at: i64, out c: i64, out p: i32, out most: i32) {
	reduce s = sum[i](f64(x[i]));
	reduce m, at = argmin[k](x[k] * x[k]);
	reduce c = count[j](x[j] > 0);
	reduce p = sum[i where v[i] > 0](v[i]);
	reduce most = max[q](v[q] + i32(x[q]));
}
kernel planes(a: f32[n, m], b: f32[m, n], out s: f32, out t: f32, out g: f32) {
	reduce s = max[i, j](a[i, j]);
	reduce t = min[p, q](a[p, q]);
	reduce g = max[i, j](b[i, j]);
}
// A scalar that the first one computes is not there for the second one.
kernel scalars(x: f32[n], out mean: f32, out wide: f32, out y: f32[n]) {
	let s: f32 = sum[i](x[i]);
	let q: f32 = sum[i](x[i] * x[i]);
	let d: f32 = sum[i]((x[i] - s) * (x[i] - s));
	map y[i] = x[i] - s;
	reduce mean = sum[i](y[i] * q) + d;
	reduce wide = max[i](y[i]);
}
kernel slopes(a: f32[n, m], c: f32[n, m], out x: f32[n, m], out y: f32[n, m], out l: f32[n, m], out k: f32[n, m], out most: f32) {
	stencil x[i, j] = a[i+1, j] - a[i-1, j] boundary clamp;
	stencil y[i, j] = a[i, j+1] - a[i, j-1] boundary clamp;
	reduce most = max[i, j](x[i, j] + y[i, j]);
	stencil l[i, j] = c[i, j] - a[i, j+1] boundary (1);
	stencil k[i, j] = c[i+1, j+1] + x[i, j] boundary (1);
}
kernel edges(a: i32[n], out x: i32[n], out y: i32[n], inout z: i32[n]) {
	stencil x[i] = a[i-1] + a[i+1] boundary wrap;
	stencil y[i] = a[i-2] + x[i] boundary mirror;
	stencil z[i] = a[i-1] boundary keep;
	stencil y[i] = y[i] + a[i+2] boundary mirror;
}
kernel kept(x: f32[n], inout y: f32[n], inout z: f32[n]) {
	stencil y[i] = x[i+1] boundary keep;
	stencil z[i] = x[i-1] + x[i] boundary keep;
}
kernel space(a: f32[n, m, k], out x: f32[n, m, k], out y: f32[n, m, k], out z: f32[n, m, k]) {
	stencil x[i, j, l] = a[i+1, j, l] - a[i-1, j, l] boundary clamp;
	stencil y[i, j, l] = a[i, j+1, l] - a[i, j-1, l] boundary clamp;
	stencil z[i, j, l] = a[i, j, l+1] - a[i, j, l-1] boundary clamp;
}
// A temporary of several readers is computed where they are computed together.
kernel shared(x: f32[n], out y: f32[n], out z: f32[n]) {
	let t: f32[n];
	map t[i] = x[i] * x[i];
	map y[i] = t[i] + 1;
	map z[i] = t[i] - 1;
}
kernel stepped(steps: i32, inout x: f32[n], inout y: f32[n], out energy: f32, out top: f32) {
	reduce energy = sum[i](x[i]);
	repeat step < steps {
		let a: f32[n];
		stencil a[i] = x[i-1] + x[i+1] - 2 * x[i] boundary wrap;
		map y[i] = y[i] + a[i] * 0.125;
		map x[i] = x[i] + y[i] * 0.125;
		reduce top = max[i](x[i]);
	}
}
kernel columns(x: f32[n, m], out low: f32[m], out odd: i64[m], out l: f32[n], out c: i64[n]) {
	reduce low[j] = min[i](x[i, j]);
	reduce odd[j] = count[i where x[i, j] > 1](x[i, j] < 2) where j % 2 == 0;
	reduce l[i] = min[j in 0..min(i, m)](x[i, j]);
	reduce c[i] = count[k in 0..min(i, m)](x[i, k] > 0);
}
kernel sparse(row: i64[n+1], col: i32[k], v: f32[k], x: f32[m], out s: f32[n], out t: f32[n]) {
	reduce s[i] = sum[e in row[i]..row[i+1]](v[e] * x[col[e]]);
	reduce t[i] = max[e in row[i]..row[i+1]](v[e] * x[col[e]]);
}
schedule maps for cuda { alone: no fuse; }
test of_three {
	stored(x = [[1, 2, 3]], t = [[1, 1, 1]]) -> u = [[2, 4, 7]];
	behind(x = [1, 2], y = [4, 6]) -> x = [2.5, 4], y = [5, 8];
	totals(x = [3, -1, 0.5], v = [1, -2, 3]) -> s = 2.5, m = 0.25, at = 2, c = 2, p = 4, most = 4;
}
