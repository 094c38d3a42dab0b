struct Body { x: f32, y: f32, m: f32, a: f32[2] }
kernel y(x: f32[n], g: f32[m], out s: f32[m]) { pairs s[i] = sum[j](x[j]) from (g[i]); }
kernel z(x: f32[n], g: f32[m], out s: f32[m]) { pairs s[i] = sum[j](x[j]) within 2 of (x, x) from (g[i]); }
kernel aa(x: f32[n], g: bool[m], out s: f32[m]) { pairs s[i] = sum[j](x[j]) within 2 of (x) from (g[i]); }
kernel ab(x: f32[n], g: f32[m, 4], out s: f32[m]) { pairs s[i] = sum[j](x[j]) within 2 of (x) from (sum[k](g[i, k])); }
kernel ac(x: f32[n], g: f32[m], out s: f32[m]) { pairs s[i] = sum[j](x[j]) within 2 of (x) from (x[j]); }
kernel ad(x: f32[n], g: f32[m], k: i64[1], out s: f32[m]) { pairs s[i] = sum[j](x[j]) within 2 of (x) from (g[i]) for i in 0..k[0]; }
kernel ae(x: f32[n], a: f32, out s: f32) { pairs s = sum[j](x[j]) within 2 of (x) from (a); }
kernel af(x: f32[n], g: f32[m], k: i64[m], out s: f32[m]) { pairs s[i] = sum[j](x[j]) within 2 of (x) from (g[k[i]]) wrap (9); }
kernel ag(x: f32[n], g: f32[m], out s: f32[m, m]) { pairs s[i, k] = sum[j](x[j]) within 2 of (x) from (g[i]) for i in 0..m, k in 0..i; }
kernel ah(x: f32[n], g: f32[k], out s: f32[m]) { pairs s[i] = sum[j](x[j]) within 2 of (x) from (g[i]); }
kernel ai(p: Body[n], q: Body[n], g: Body[m], out s: i64[m]) { pairs s[i] = count[j](true) within 2 of (x) from (g[i].x); }
