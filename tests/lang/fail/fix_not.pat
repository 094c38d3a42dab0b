kernel a(out y: f32[n], out z: f32[m]) { map y[i] = 1, /* and */ z[i] = 2; }
kernel b(out y: f32[n], out z: f32[m]) { map y[i] = 1, z[i] = 2 where i > 0; }
kernel c(inout a: f32[n, n], inout b: f32[n, n]) { swap a[i, i], b[i, i]; }
kernel d(inout a: f32[n, n], inout b: f32[n, n]) { swap a[i, j], b[j, i]; }
kernel e(inout a: f32[n], inout b: f32[n], k: i64) { swap a[k], b[k]; }
kernel f(x: f32[n], out y: f32[n]) { stencil y[i] = x[i-1] boundary (clamp, wrap); }
kernel g(x: f32[n], out y: f32[n]) { scan y[i] = 0.5 * y[i-1] + x[i] from right; }
kernel h(x: f32[n], k: i64, out y: f32[n]) { if k > 2 { map y[i] = x[i]; } else if all[i](x[i] == 1) { map y[i] = 1; } }
kernel i(x: f32[n], out p: f32[n], out q: f32[n]) { scan p[i] = sum(x[i]), q[i] = sum(p[i]) exclusive; }
struct P { x, y: f32 }
kernel j(inout p: P[n]) { sort p by greater; }
kernel k(x: f32[row], out y: f32[row]) { let t: f32[raw]; map y[i] = x[i]; }
kernel l(x: f32[n, m], out s: f32) { reduce s = max(x[i, j]); }
kernel m(x: f32[n], z: f32[n], out y: f32[n], out w: f32[n], out k: i64, out l: i64) { compact y, k = x[i], w, l = z[i] where x[i] > 0; }
kernel o(x: f32[n], k: i64, out y: f32[n]) {
	if k > 3 { map y[i] = 0; } else
		if all[i](x[i] == 1) { map y[i] = 1; }
}
