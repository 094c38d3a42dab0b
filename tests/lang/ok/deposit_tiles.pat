// Items at places that data decide, sorted by tiles of the cells: whatever types, operators and places they have.
fn near(d: f32) -> f32 = max(0, 1.5 - abs(d));

kernel cloud_plane(x: f32[n], y: f32[n], q: f32[n], inout rho: f32[h, w]) {
	cic: scatter rho[i32(floor(x[p])) + a, i32(floor(y[p])) + b] +=
		q[p] * (1 - abs(x[p] - floor(x[p]) - f32(a))) * (1 - abs(y[p] - floor(y[p]) - f32(b))) drop
		for p in 0..n, a in 0..2, b in 0..2;
}
kernel cloud_space(x: f32[n], y: f32[n], z: f32[n], inout rho: f64[h, w, l], inout most: i32[h, w, l]) {
	both: scatter rho[i32(x[p]) + a, i32(y[p]) - b, i32(z[p]) + c] += f64(x[p] * f32(1 + a)),
		most[i32(x[p]) + a, i32(y[p]) - b, i32(z[p]) + c] max= i32(p + a)
		for p in 0..n, a in -1..2, b in 0..2, c in 0..3;
}
kernel cloud_torus(x: i32[n], y: i32[n], ok: bool[n], inout t: i64[h, w]) {
	turn: scatter t[(x[p] + i32(a)) % i32(h), (y[p] + i32(b)) % i32(w)] += i64(x[p])
		where ok[p] drop for p in 0..n, a in 0..2, b in 0..2;
}
kernel cloud_line(k: u32[n], v: f16[n], inout f: u8[m], inout g: f16[m], inout least: f32[m]) {
	small: scatter f[i32(k[i]) + a] += u8(a) drop for i in 1..n, a in 0..5;
	half: scatter g[i32(k[i] % 64) - a] max= v[i] where (i + a) % 3 != 0 for i in 0..n, a in 0..5;
	low: scatter least[k[i] + a] min= f32(v[i]) drop for i in 0..n, a in 0..4;
}
kernel cloud_single(k: i32[n, m], inout b: u64[c], inout r: bool[c]) {
	alone: scatter b[k[i, j]] ^= u64(i + 8*j) for i in 0..n, j in 1..m;
	many: scatter r[k[i, j] + a] any= (i + j) % 2 == 0 drop for i in 0..n, j in 0..m, a in -3..4;
}
kernel cloud_far(at: i32[n], cell: i32[m], inout f: u32[h, w]) {
	read: scatter f[cell[at[p]] + a, at[p] - a] += 1 for p in 0..n, a in 0..2;
}
struct Body { x, y: i32, w: f64 }
kernel cloud_bodies(b: Body[n], at: i32[n], ok: bool[m], inout rho: f64[h, w], inout count: u32[h, w]) {
	let x: i32[n];
	map x[p] = b[p].x + 1;
	whole: scatter rho[b[p].x + a, b[p].y + c] += b[p].w * f64(a) for p in 0..n, a in 0..2, c in 0..3;
	masked: scatter count[x[p] * 9 + a, i32(p) % 97 + c] += 1 where ok[at[p]] for p in 0..n, a in 0..2, c in 0..2;
	repeat t < 3 {
		again: scatter count[x[p] + a + t, b[p].y] += u32(t) drop for p in 0..n, a in 0..2;
	}
}
schedule cloud_bodies for cuda { whole: gather; masked: gather; again: gather; }
schedule cloud_bodies for hip { whole: gather; masked: gather; again: gather; }
schedule cloud_plane for cuda { cic: gather; }
schedule cloud_plane for hip { cic: gather; }
schedule cloud_space for cuda { both: gather; }
schedule cloud_space for hip { both: gather; }
schedule cloud_torus for cuda { turn: gather; }
schedule cloud_torus for hip { turn: gather; }
schedule cloud_line for cuda { small: gather; half: gather; low: gather; }
schedule cloud_line for hip { small: gather; half: gather; low: gather; }
schedule cloud_single for cuda { alone: gather; many: gather; }
schedule cloud_single for hip { alone: gather; many: gather; }
schedule cloud_far for cuda { read: gather; }
schedule cloud_far for hip { read: gather; }
test of_clouds {
	cloud_plane(x = [1.25, -0.5, 7], y = [0, 0.5, 0], q = [2, 4, 1], rho = [[0, 0], [0, 0], [0, 0]])
		-> rho = [[1, 1], [1.5, 0], [0.5, 0]];
}
