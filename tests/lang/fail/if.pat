kernel cell(x: f32[n], out y: f32[n]) { if x[0] > 0 { map y[i] = x[i]; } }
kernel fold(x: f32[n], out y: f32[n]) { if any[i](x[i] > 0) { map y[i] = x[i]; } }
kernel number(x: f32[n], out y: f32[n]) { if n { map y[i] = x[i]; } }
kernel labelled(x: f32[n], out y: f32[n]) { here: if n > 0 { map y[i] = x[i]; } }
kernel one(x: f32[n], out y: f32[n], out z: f32[n]) { if n > 3 { map y[i] = x[i]; } map z[i] = y[i]; }
kernel other(x: f32[n], out y: f32[n], out z: f32[n]) { if n > 3 { map y[i] = x[i]; } else { map z[i] = y[i]; } }
kernel both(x: f32[n], out y: f32[n], out z: f32[n]) { if n > 3 { map y[i] = x[i]; } else { map y[i] = 0; } map z[i] = y[i]; }
kernel scope(x: f32[n], out y: f32[n]) { if n > 3 { let t: f32[n]; map t[i] = x[i]; } map y[i] = t[i]; }
kernel weak(x: f32[n], out s: f32) { if n != 1 { map s = x[n - 1]; } }
kernel contrary(x: f32[n], out s: f32) { if n > 0 { map s = x[0]; } else { map s = x[0]; } }
kernel changed(x: f32[n], inout k: i64, out s: f32) { if 0 <= k && k < n { map k += 1; map s = x[n - 1]; } }
kernel requires(x: f32[n], out y: f32[n]) { if n > 3 { require n > 2; map y[i] = x[i]; } }
kernel earlier(x: f32[m], out h: f32[n, m], out y: f32[m]) {
	repeat s < n { if s % 2 == 0 { map h[s, j] = x[j]; } map y[j] = s > 0 ? h[s - 1, j] : 0; }
}
