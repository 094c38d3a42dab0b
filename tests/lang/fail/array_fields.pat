struct S { v: f32[4], w: f32[2, 2], big: f32[80], k: i32 }
const W: f32[3] = [1, 2, 3];
fn dot(a: f32[4], b: f32[4]) -> f32 = a[0] * b[0];
fn turned(a: f32[4]) -> f32[4] = [a[3], a[2], a[1], a[0]];
op add(a: f32[4], b: f32[4]) -> f32[4] = a assume associative, assume commutative;
kernel f(x: S[n], at: i32[n], row: f32[4], out y: f32[n], inout z: S[n]) {
	map y[i] = dot(x[i].v, x[i].w);
	map y[i] = dot(x[i].v, [1, 2, 3]);
	map y[i] = dot(x[i].v, W);
	map y[i] = dot(x[i].v, 1);
	map y[i] = dot(x[i].v, row);
	map y[i] = dot(x[i].v);
	map y[i] = x[i].v;
	map y[i] = turned(x[i].v) + 1;
	map z[i].v = x[i].w;
	map z[i].v = x[i].k;
	map z[i].v = [1, 2];
	map z[i].v += x[i].v;
	map z[i].big = x[i].big;
	reduce z[i].v = sum[j in 0..4](x[i].v);
	scatter z[at[i]].v add= x[i].v drop;
}
