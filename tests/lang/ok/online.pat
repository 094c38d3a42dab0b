// online.pat - folds of a row in one pass over it: what moves with a maximum or a mean, what stands beside it, and what must wait.
fn square(x: f32) -> f32 = x * x;

kernel weigh(x: f32[n, m], v: f32[m], sharp: f32, out y: f32[n, m], out mean: f32[n], out most: f32[n])
{
	let total: f32[n];
	reduce most[i] = max[j](x[i, j]);
	reduce total[i] = sum[j](exp(sharp * (x[i, j] - most[i]))), mean[i] = sum[j](v[j] * exp2((x[i, j] - most[i]) / 2));
	map y[i, j] = exp(sharp * (x[i, j] - most[i])) / total[i];
}
kernel normalise(x: f32[n, m], out y: f32[n, m], out low: f32[n])
{
	let mean: f32[n];
	let scale: f32[n];
	reduce mean[k] = sum[j](x[k, j]) / max(m, 1);
	reduce scale[i] = sum[e](square(x[i, e] - mean[i])) / max(m, 1) + 1;
	reduce low[i] = min[j](x[i, j]);
	map y[i, j] = (x[i, j] - mean[i]) / sqrt(scale[i]);
}
kernel wide(x: f64[l, n, m], out s: f64[l, n], out v: f64[l, n], out c: f64[l, n], out t: f64[l, n])
{
	reduce s[q, i] = 2 * sum[j](x[q, i, j]) + 1;
	reduce v[q, i] = sum[j]((x[q, i, j] - s[q, i]) * (x[q, i, j] - s[q, i])), c[q, i] = sum[j]((x[q, i, j] - 1) * (x[q, i, j] - 1));
	reduce t[q, i] = max[j](-x[q, i, j]);
	reduce c[q, i] = sum[j](x[q, i, j] * -exp(-x[q, i, j] - t[q, i]) * 0.5) + log(sum[j](exp((-x[q, i, j] - t[q, i]) * 0.5)));
}
// of f16: rounded as the program says; a mean of halves waits, and so does what another statement's sum is needed for
kernel halves(x: f16[n, m], w: bf16[m], out top: f16[n], out total: f32[n], out mean: f16[n], out far: f32[n], out b: bf16[n])
{
	reduce top[i] = max[j](x[i, j]);
	reduce total[i] = sum[j](exp(f32(x[i, j]) - f32(top[i])));
	reduce mean[i] = f16(sum[j](f32(x[i, j])) / (total[i] + 1));
	reduce far[i] = sum[j](square(f32(x[i, j]) - f32(mean[i])));
	reduce b[i] = max[j](w[j]);
}
// rows in shared memory, read again for another array and written in place
kernel kept(inout x: f16[n, m], out y: f32[n, m], out z: f64[n])
{
	let total: f32[n];
	reduce total[i] = sum[j](f32(x[i, j]) * f32(x[i, j]));
	map x[i, j] = f16(f32(x[i, j]) / (total[i] + 1));
	map y[i, j] = f32(x[i, j]) + total[i];
	reduce z[i] = sum[j](f64(x[i, j]));
}
// vectors of the widest
kernel mixed(b: u8[n, m], x: f64[n, m], out high: u8[n], out sum: f64[n])
{
	reduce high[i] = max[j](b[i, j]);
	reduce sum[i] = sum[j](x[i, j] * f64(b[i, j]));
}
// beside each other: places, truth, integers
kernel several(x: i32[n, m], b: u8[n, m], out best: i32[n], out at: i64[n], out odd: bool[n], out sum: i64[n], out bits: u8[n])
{
	reduce best[i], at[i] = argmax[j](x[i, j]);
	reduce odd[i] = any[j](x[i, j] % 2 != 0), sum[i] = sum[j](i64(x[i, j]));
	reduce bits[i] = max[j](b[i, j]);
}
// masked ones stand as written, and a reference of theirs, too
kernel masked(x: f32[n, m], out a: f32[n], out b: f32[n], out c: f32[n])
{
	reduce a[i] = max[j where j % 3 != 0](x[i, j]);
	reduce b[i] = sum[j](exp(min(x[i, j] - a[i], 3)));
	reduce c[i] = sum[j where x[i, j] < a[i]](x[i, j]);
}

test not_finite {
	weigh(x = [[1, 2, 3], [-inf, -inf, 2], [-inf, -inf, -inf], [inf, 1, 2], [nan, -inf, 5], [nan, nan, nan], [-inf, 3e38, -3e38]], v = [1, 2, 4], sharp = 1);
	weigh(x = [[1, 2, 3], [-inf, -inf, 2], [-1000, -1001, -inf]], v = [1, inf, 4], sharp = 0);
	weigh(x = [[1, 2, 3], [4, 3, 2], [-inf, 2, 1]], v = [-1, nan, 4], sharp = -0.5);
	weigh(x = [[1, 2, 3], [4, 3, 2]], v = [-1, 2, 4], sharp = nan);
	normalise(x = [[1, 2, 3], [inf, 0, 1], [nan, 1, 2], [3e38, 3e38, 3e38], [1e20, 1e20, 1e20], [-inf, inf, 1]]);
	wide(x = [[[1, inf, -3, 5, 6], [-700, 700, 0, 1, 2]], [[nan, 1, 1, 1, 1], [-inf, -inf, -inf, -inf, -inf]]]);
	halves(x = [[1, 60000, 3], [-inf, -inf, -65504], [-inf, nan, -inf]], w = [1, nan, -2]);
	masked(x = [[1, 2, 3, 4], [inf, 2, 2, inf], [0, nan, -inf, 9]]);
}
test long_rows {
	weigh(n = 3, m = 20003, x = random, v = random, sharp = 3);
	normalise(n = 3, m = 17001, x = random);
	wide(l = 1, n = 2, m = 9001, x = random);
	wide(l = 1, n = 3, m = 5001, x = random);
	halves(n = 2, m = 20001, x = random, w = random);
	kept(n = 2, m = 20001, x = random);
	several(n = 2, m = 9001, x = random, b = random);
}
