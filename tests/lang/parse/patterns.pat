// patterns.pat - every pattern of the language, built or not, as the papers write it.
const EPS: f64 = 1e-12;
const W: f32[5] = [1, 4, 6, 4, 1];

struct Atom { x, y, z, q: f32 }
struct Cell { f: f32[9] }

fn relu(x: f32) -> f32 = max(x, 0);
fn less(a: u32, b: u32) -> bool = a < b;
op lse(a: f32, b: f32) -> f32 = a == b ? a + 0.69314718 : max(a, b) + log1p(exp(-abs(a - b)))
	identity -inf, associative, commutative;
extern fn erfcx(x: f64) -> f64 from "special.cuh";

kernel moves(a: f32, x: f32[n], y: f32[n], idx: i32[n], A: f32[n, m], B: f32[m, n])
{
	map y[i] = a * x[i] + y[i];
	gather y[i] = x[idx[i]];
	scatter y[idx[i]] += x[i];
	scatter y[idx[i]] max= x[i];
	scatter y[idx[i]] lse= x[i] drop;
	scatter y[idx[i]] = x[i] unique;
	transpose B[j, i] = A[i, j];
}

kernel folds(x: f32[n], y: f32[n], out s: f32, out m: f32, out at: i64, row: i64[r + 1], val: f32[e], col: i32[e])
{
	reduce s = sum[i](x[i] * y[i]);
	reduce m, at = argmax[i](x[i]);
	reduce s = min[i](x[i]), m = max[i](x[i]);
	reduce y[r] = sum[e in row[r]..row[r+1]](val[e] * x[col[e]]);
	reduce s = lse[j in 0..n where x[j] > 0](x[j]) strict;
}

kernel scans(x: f32[n], y: f32[n], b: f32[n], p: f32[n], off: i64[s + 1], h: bool[n], k: i32[n], P: f32[n, m])
{
	scan p[i] = sum(x[i]) exclusive;
	scan p[i] = sum(x[i]) from right;
	scan P[i, j] = sum[j](P[i, j]) from -1 exclusive;
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = +;
	scan y[i] = (y[i-1] <.> b[i]) <> x[i] using <.> = *, <> = max;
	scan p[i] = sum(x[i]) segments off;
	scan p[i] = sum(x[i]) heads h exclusive;
	scan p[i] = sum(x[i]) keys k;
	scan p[i] = sum(x[i]) of s;
}

kernel orders(x: f32[n], y: f32[n], z: f32[n], out count: i64, key: u32[n], val: u32[n], off: i64[s + 1], h: i32[b])
{
	histogram h[i32(x[i])] += 1 drop;
	compact y, count = x[i] where x[i] > 0;
	compact y, count = x[i] where x[i] > 0 unordered else z;
	sort key with val by <;
	sort key with val, x by less stable;
	sort key by >;
	segsort key with val segments off first 10 into h;
	pairs y[i] = sum[j](relu(x[i] - x[j]));
	pairs y[i] = sum[j](relu(x[i] - x[j])) within (2 * EPS) of x;
}

kernel tables(A: f32[n, k], B: f32[k, m], C: f32[n, m], H: i32[n, m], E: i32[n, m], F: i32[n, m], q: u8[n], d: u8[m])
{
	matmul C[i, j] = sum[k](A[i, k] * B[k, j]);
	matmul C[i, j] = min[k](A[i, k] + B[k, j]);
	wavefront H[i, j] = (H[i,j-1] ○ -gap) ◇ (H[i-1,j] ○ -gap) ◇ (H[i-1,j-1] ○ score(q[i], d[j])) ◇ 0
		using ○ = +, ◇ = max boundary 0;
	wavefront C[i, j] = p[i, j] + C[i-1,j] + C[i,j-1] - C[i-1,j-1] boundary 0;
	wavefront E[i,j] = E[i,j-1] - ext ◇ H[i,j-1] - open,
	          F[i,j] = F[i-1,j] - ext ◇ H[i-1,j] - open,
	          H[i,j] = H[i-1,j-1] + s[i,j] ◇ E[i,j] ◇ F[i,j] ◇ 0
	          using ◇ = max boundary (LOW, LOW, 0);
	wavefront H[i, j] = H[i-1, j-1] ◇ 0 using ◇ = max boundary (-gap * (i + j + 2)) from right;
	repeat t < steps {
		step: stencil C[i, j] = A[i-1, j] + t boundary (wrap, clamp) where (i + j) % 2 == 0 for i in 0..n, j in 0..i;
		swap A, C;
	}
	repeat until err < EPS at most 1000 {
		reduce err = max[i, j](C[i, j]);
	}
}

schedule tables for cuda sm_90 { step: tile 128 x 8, coarsen 4, stage registers, time 8; }
