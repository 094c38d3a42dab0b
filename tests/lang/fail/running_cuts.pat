struct V { a, b: f32 }
op first(a: f32, b: f32) -> f32 = a associative;
op nota(a: f32, b: f32) -> f32 = a - b;
const T: i64[3] = [0, 1, 2];
kernel f(x: f32[n], h: bool[n], k: i32[n], off: f32[s], A: f32[n, m], b: f32[n], r: f32, v: V[n] layout soa, c: i64, h2: bool[n, m], hs: i32[s],
	out p: f32[n], out q: f32[n], out P: f32[n, m], out at: i64[n], out w: V[n], out z: i64[n], inout y: f32[n], out s0: f32, out ph: f16[n]) {
	scan p[i] = sum(x[i]) segments h;
	scan p[i] = sum(x[i]) segments T;
	scan p[i] = sum(x[i]) heads x;
	scan p[i] = sum(x[i]) heads hs;
	scan p[i] = sum(x[i]) heads (x[i] > 0);
	scan p[i] = sum(x[i]) keys v;
	scan z[i] = sum(z[i]) keys z;
	scan p[i] = sum(x[i]) heads h keys k;
	scan p[i] = sum(x[i]) exclusive inclusive;
	scan p[i] = sum(x[i]) of 0;
	scan p[i] = sum(x[i]) of b[i];
	scan p[i] = sum(x[i]) of 2.5;
	scan p[i] = sum(x[i]) where x[i] > 0;
	scan p[i] = first(x[i]) exclusive;
	scan p[i] = first(x[i]) exclusive from 1;
	scan p[i] = first[i where x[i] > 0](x[i]);
	scan p[i] = nota(x[i]);
	scan p[i] = nota(x[i]) strict;
}
