// f16 and bf16: words in memory, f32 in between, rounded once where they are stored
const W: f16[3] = [0.1, 2.5, -inf];
const B: bf16 = 0.1;
const TINY: f16[2] = [5.9604644775390625e-8, 1.00048828125000000000000000000001];
struct Particle { x: f16, b: bf16, mass: f32, v: f16[3] }
fn blend(a: f16, b: bf16) -> f16 = f16(0.5 * f32(a) + f32(b));
fn steps(a: f16, n: i32) -> f16 {
	var s = a;
	for k in 0..n { s = f16(s * 1.5 + k); if s > 1000 { return -s; } }
	return s;
}
op most(a: f16, b: f16) -> f16 = a > b || b != b ? a : b identity -inf, associative, commutative;
op add(a: bf16, b: bf16) -> bf16 = a + b identity 0, associative, commutative;

kernel saxpy(a: f16, x: f16[n], inout y: f16[n], c: bf16, u: bf16[n], inout v: bf16[n])
{
	map y[i] = a * x[i] + y[i];
	map v[i] = c * u[i] + v[i];
}

kernel to_f16(b: bf16[n], f: f32[n], d: f64[n], k: i64[n], u: u64[n], j: i32[n], c: i8[n], o: bool[n],
	out x1: f16[n], out x2: f16[n], out x3: f16[n], out x4: f16[n], out x5: f16[n], out x6: f16[n], out x7: f16[n],
	out x8: f16[n])
{
	map x1[i] = f16(b[i]), x2[i] = f16(f[i]), x3[i] = f16(d[i]), x4[i] = f16(k[i]);
	map x5[i] = f16(u[i]), x6[i] = f16(j[i]), x7[i] = f16(c[i]), x8[i] = f16(o[i]);
}

kernel to_bf16(x: f16[n], f: f32[n], d: f64[n], k: i64[n], u: u64[n], j: i32[n], w: u32[n], s: u16[n],
	out b1: bf16[n], out b2: bf16[n], out b3: bf16[n], out b4: bf16[n], out b5: bf16[n], out b6: bf16[n],
	out b7: bf16[n], out b8: bf16[n])
{
	map b1[i] = bf16(x[i]), b2[i] = bf16(f[i]), b3[i] = bf16(d[i]), b4[i] = bf16(k[i]);
	map b5[i] = bf16(u[i]), b6[i] = bf16(j[i]), b7[i] = bf16(w[i]), b8[i] = bf16(s[i]);
}

kernel to_others(x: f16[n], b: bf16[n], out f: f32[n], out d: f64[n], out k: i64[n], out u: u64[n], out j: i32[n],
	out c: i8[n], out e: f32[n], out g: f64[n], out l: i64[n], out v: u64[n], out m: u32[n], out w: u16[n])
{
	map f[i] = x[i], d[i] = x[i], k[i] = i64(x[i]), u[i] = u64(x[i]), j[i] = i32(x[i]), c[i] = i8(x[i]);
	map e[i] = b[i], g[i] = b[i], l[i] = i64(b[i]), v[i] = u64(b[i]), m[i] = u32(b[i]), w[i] = u16(b[i]);
}

kernel folds(x: f16[m, n], b: bf16[m, n], out s: f16, out t: f32[m], out low: f16[n], out high: bf16, out c: i64)
{
	reduce s = sum[i, j](x[i, j]);
	reduce t[i] = sum[j](b[i, j] * f32(x[i, j])) where i % 4 != 3;
	reduce low[j] = min[i](x[i, j]);
	reduce high = max[i, j](b[i, j]);
	reduce c = count[i, j](x[i, j] > f32(b[i, j]));
}

kernel folded(x: f16[m, n], b: bf16[m, n], out p: f16, out q: bf16[m], out r: f16[n])
{
	reduce p = most[i, j](x[i, j]);
	reduce q[i] = add[j](b[i, j]);
	reduce r[j] = most[i](f16(x[i, j] * x[i, j]));
}

kernel near(x: f16[m, n], out y: f16[m, n], out z: bf16[m, n])
{
	stencil y[i, j] = W[0] * (x[i, j-1] + x[i, j+1]) + 0.5 * x[i, j] boundary constant 0.3;
	stencil z[i, j] = bf16(x[i-1, j] + f32(B) * x[i+1, j]) boundary clamp;
}

kernel staged(x: bf16[m, n], out y: bf16[m, n], out total: f32)
{
	s: stencil y[i, j] = 0.25 * (x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1]) boundary (wrap, 0.1);
	reduce total = sum[i, j](y[i, j]);
}
schedule staged for cuda { s: stage shared; }
schedule staged for hip { s: stage shared; }

kernel records(p: Particle[n], inout q: Particle[n], out e: bool[n], out d: f16[n])
{
	map e[i] = p[i] == q[i];
	map q[i].x = blend(p[i].x, p[i].b), q[i].b = sqrt(p[i].b), q[i].v[1] = p[i].v[2] + W[1], d[i] = W[2] + TINY[1];
}

kernel chain(x: f16[n], w: f64, out y: f16[n], out s: f16, out z: bf16[n], k: i32)
{
	let t: f16[n];
	let top: bf16;
	map t[i] = 3 * x[i] + TINY[0];
	map y[i] = t[i] * t[i] - 1.5f16;
	reduce top = bf16(max[i](x[i]));
	map s = top > 1 ? f16(top) : f16(w);
	map z[i] = bf16(steps(x[i], k) / s) where i % 3 != 1;
	map z[i] = f32(s) > 1 ? 2bf16 : -0.5bf16 where i % 3 == 1;
}

kernel walk(inout a: f16[n], inout b: f16[n], n_steps: i32)
{
	repeat t < n_steps {
		stencil b[i] = 0.25 * a[i-1] + 0.5 * a[i] + 0.25 * a[i+1] boundary mirror;
		swap a, b;
	}
}
