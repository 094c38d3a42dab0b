// Several equations write one cell: what comes after sees what the last of them wrote.
struct Pair { x: f32, y: f32 }
struct Three { x: f32, y: f32, z: f32 }
kernel one(b: f32, inout x: f32[n], inout y: f32[n], s: f32) {
	map y[i] = b * x[i], y[i] = y[i] + s, x[i] = 1.5 * y[i];
}
kernel again(b: f32, x: f32[n], inout y: f16[n], inout z: f32[n]) {
	map y[i] = f16(b * x[i]), z[i] = f32(y[i]), y[i] = y[i] + y[i], z[i] = z[i] + f32(y[i]);
}
kernel parts(p: Pair[n], out q: Pair[n], out r: Pair[n], out t: f32[n]) {
	map q[i] = p[i], q[i].x = q[i].y * 2, r[i] = q[i], q[i] = Pair(r[i].y, 1), t[i] = q[i].x + r[i].x;
}
kernel staged(p: Three[n], out q: Three[n], out r: Three[n], inout t: Three[n]) {
	map q[i] = p[i], q[i].x = q[i].y * 2, r[i] = q[i], t[i].z = t[i].z + q[i].x, t[i].x = t[i].z + 1, r[i].z = t[i].x + r[i].z;
}
kernel edge(x: f32[n, m], inout y: f32[n, m], out z: f32[n, m]) {
	stencil y[i, j] = x[i-1, j] + x[i, j+1], y[i, j] = y[i, j] * 2 + x[i+1, j], z[i, j] = y[i, j] + x[i, j-1] boundary clamp;
}
kernel masked(x: f32[n], k: i32[n], inout y: f32[n], out z: f32[n]) {
	map y[i] = x[i] + 1, y[i] = y[i] * 3, z[i] = y[i] where k[i] > 0;
}
kernel tested(x: f32[n], k: i32[n], inout y: f32[n], inout z: f32[n]) {
	gather y[i] = x[k[i]] + 1, y[i] = y[i] * 3, z[i] = y[i];
}
kernel looped(b: f32, inout x: f32[n], inout y: f32[n], s: f32) {
	repeat k < 3 {
		map y[i] = b * x[i];
		map y[i] = y[i] + s;
		map x[i] = 1.5 * y[i];
	}
}
