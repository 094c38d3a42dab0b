// tiles of a vector a thread, so that there are many of them, and groups of tiles: what comes before a tile
struct Pair { a, b: f64 }
op mul2(x: Pair, y: Pair) -> Pair = Pair(x.a * y.a, y.a * x.b + y.b) associative;
struct Mix { a: i8, b: i16, c: u8, d: u16, e: u32, f: u64, g: f16, h: bool, v: i32[2] }
op mix(x: Mix, y: Mix) -> Mix = Mix(max(x.a, y.a), min(x.b, y.b), x.c & y.c, x.d | y.d, x.e ^ y.e, x.f * y.f, max(x.g, y.g),
	x.h && y.h, [x.v[0] + y.v[0], y.v[1]]) associative;
kernel mixed(bind: u8[n], x: Mix[40*n+5], out p: Mix[40*n+5]) { s: scan p[i] = mix(x[i]); }
struct Affine { a, b: i32 }
op then(x: Affine, y: Affine) -> Affine = Affine(x.a * y.a, y.a * x.b + y.b) associative;
kernel order(bind: u8[n], x: Affine[400*n+3], out p: Affine[400*n+3]) { s: scan p[i] = then(x[i]); }
kernel long(bind: u8[n], x: f32[400*n+3], out p: f32[400*n+3]) { s: scan p[i] = sum(x[i]); }
kernel back(bind: u8[n], x: i32[400*n+3], out p: i64[400*n+3]) { s: scan p[i] = max(i64(x[i])) exclusive from right from 7; }
kernel pairs_of(bind: u8[n], x: Pair[40*n+5], out p: Pair[40*n+5]) { s: scan p[i] = mul2(x[i]); }
kernel two(bind: u8[n], x: f32[40*n+5], y: f64[40*n+5], out p: f32[40*n+5], out q: f64[40*n+5]) {
	s: scan p[i] = sum(x[i]), q[i] = max(y[i]) + p[i];
}
kernel rows(bind: u8[n], x: i32[m, 40*n+5], w: i32[40*n+5], b: i32[m], out p: i32[m, 40*n+5]) {
	s: scan p[i, j] = sum[j](x[i, j] * w[j] + b[i]) from right;
}
kernel keyed(bind: u8[n], x: f64[40*n+5], k: u8[40*n+5], out p: f64[40*n+5]) { s: scan p[i] = max(x[i]) keys k exclusive; }
kernel pieces(bind: u8[n], x: i32[40*n+5], c: i64, inout p: i32[40*n+5]) { s: scan p[i] = sum(x[i]) of c from right; }
kernel best(bind: u8[n], x: f32[40*n+5], out p: f32[40*n+5], out at: i64[40*n+5]) { s: scan p[i], at[i] = argmax(x[i]); }
schedule long for cuda { s: vector 1, coarsen 1; }
schedule long for hip { s: vector 1, coarsen 1; }
schedule back for cuda { s: vector 1, coarsen 1; }
schedule back for hip { s: vector 1, coarsen 1; }
schedule pairs_of for cuda { s: coarsen 1; }
schedule pairs_of for hip { s: coarsen 1; }
schedule two for cuda { s: coarsen 1; }
schedule two for hip { s: coarsen 1; }
schedule rows for cuda { s: coarsen 1; }
schedule rows for hip { s: coarsen 1; }
schedule keyed for cuda { s: coarsen 1; }
schedule keyed for hip { s: coarsen 1; }
schedule pieces for cuda { s: coarsen 2; }
schedule pieces for hip { s: coarsen 1; }
schedule best for cuda { s: coarsen 1; }
schedule best for hip { s: coarsen 1; }
schedule mixed for cuda { s: coarsen 1; }
schedule mixed for hip { s: coarsen 1; }
schedule order for cuda { s: coarsen 1; }
schedule order for hip { s: coarsen 1; }
