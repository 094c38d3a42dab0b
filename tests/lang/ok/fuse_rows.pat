// fuse_rows.pat - statements that share their rows: one kernel, what a row folds kept on chip.

kernel softmax(x: f32[n, m], out y: f32[n, m])
{
	let top: f32[n];
	let total: f32[n];
	reduce top[i] = max[j](x[i, j]);
	reduce total[i] = sum[j](exp(x[i, j] - top[i]));
	map y[i, j] = exp(x[i, j] - top[i]) / total[i];
}

// what is folded is wanted by the caller too
kernel softmax_kept(x: f64[n, m], out top: f64[n], out total: f64[n], inout x2: f64[n, m])
{
	reduce top[i] = max[j](x[i, j]);
	reduce total[i] = sum[j](exp(x[i, j] - top[i]));
	map x2[i, j] = exp(x[i, j] - top[i]) / total[i] + x2[i, j];
}

// in place, and a map of what was folded between
kernel layer_norm(inout x: f32[n, m], g: f32[m], b: f32[m], eps: f32)
{
	let mean: f32[n];
	let square: f32[n];
	let scale: f32[n];
	reduce mean[i] = sum[j](x[i, j]) / f32(m);
	reduce square[i] = sum[j]((x[i, j] - mean[i]) * (x[i, j] - mean[i]));
	map scale[i] = rsqrt(square[i] / f32(m) + abs(eps) + 1);
	map x[i, j] = (x[i, j] - mean[i]) * scale[i] * g[j] + b[j];
}

// f16, rounded where it is kept
kernel halves(x: f16[n, m], out y: f16[n, m])
{
	let top: f16[n];
	let total: f16[n];
	reduce top[i] = max[j](x[i, j]);
	reduce total[i] = f16(sum[j](exp(x[i, j] - top[i])));
	map y[i, j] = f16(exp(x[i, j] - top[i]) / total[i]);
}

// places and values; bool and integers of several widths; a mean of integers
kernel best(x: i32[n, m], out y: i32[n, m], out from: i64[n])
{
	let top: i32[n];
	let any_odd: bool[n];
	reduce top[i], from[i] = argmax[j](x[i, j]);
	reduce any_odd[i] = any[j](x[i, j] % 2 != 0);
	map y[i, j] = any_odd[i] && j == from[i] ? top[i] : x[i, j] / 2;
}

// a row is written, folded and written again; the temporary has cells
kernel powers(x: f64[n, m], out y: f64[n, m])
{
	let e: f64[n, m];
	let s: f64[n];
	map e[i, j] = exp(-abs(x[i, j])) + 1;
	reduce s[i] = sum[j](e[i, j] * e[i, j]);
	map y[i, j] = e[i, j] / sqrt(s[i]) + e[i, j];
}

// two indices of rows, part of them, part of the row
kernel planes(x: f32[k, n, m], out y: f32[k, n, m])
{
	let low: f32[k, n];
	reduce low[a, i] = min[j in 1..m](x[a, i, j]) for a in 0..k, i in 0..n;
	map y[a, i, j] = low[a, i] + j for a in 0..k, i in 0..n, j in 1..m;
}

kernel inner_rows(inout x: i64[n, m])
{
	let s: i64[n];
	reduce s[i] = sum[j](x[i, j]) for i in 1..n;
	map x[i, j] = x[i, j] * s[i] for i in 1..n, j in 0..m;
}

// u8 in vectors of sixteen, and an operator of the user's that has no identity
op last(a: i32, b: i32) -> i32 = b associative;

kernel octets(x: u8[n, m], out y: u8[n, m])
{
	let high: u8[n];
	let low: u8[n];
	reduce high[i] = max[j](x[i, j]), low[i] = min[j](x[i, j]);
	map y[i, j] = (x[i, j] - low[i]) / max(high[i] - low[i], 1);
}

kernel lasts(x: i32[n, m+1], w: i32[m], out y: i32[n, m+1])
{
	let end: i32[n];
	reduce end[i] = last[j](x[i, j]);
	map y[i, j] = end[i] - x[i, j];
}

// rows with a distance, in a loop, and a value that is used again behind it
kernel steps(inout x: f32[n, m] layout row(ld), t: i32, out s: f32[n])
{
	let top: f32[n];
	repeat k < min(t, 3) {
		reduce top[i] = max[j](abs(x[i, j]));
		map x[i, j] = x[i, j] / (top[i] + 1) + k;
	}
	map s[i] = top[i];
}

// of some the rows are not shared: other cells are read, another axis is folded, columns are the same size
kernel apart(x: f32[n, n], out y: f32[n, n], out z: f32[n, n])
{
	let r: f32[n];
	let c: f32[n];
	reduce r[i] = sum[j](x[i, j]);
	map y[i, j] = x[i, j] - r[j];
	reduce c[j] = sum[i](x[i, j]);
	map z[i, j] = x[i, j] - c[j];
}

kernel written_apart(inout x: f32[n, n], out y: f32[n, n])
{
	let r: f32[n];
	reduce r[i] = max[j](x[i, j]);
	map x[i, j] = x[i, j] - r[i];
	reduce r[j] = sum[i](x[i, j]);
	map y[i, j] = r[i] + x[i, j];
}

kernel turned(x: f32[n, m] layout col, out y: f32[n, m] layout col)
{
	let top: f32[n];
	reduce top[i] = max[j](x[i, j]);
	map y[i, j] = x[i, j] - top[i];
}

// a fold that keeps what it found for the next, rows folded again
kernel chained(x: f32[n, m], out a: f32[n], out y: f32[n, m])
{
	let s: f32[n];
	reduce s[i] = sum[j](x[i, j]);
	map s[i] = s[i] * s[i] + 1;
	reduce a[i] = max[j](x[i, j] / s[i]);
	map s[i] = s[i] + a[i];
	map y[i, j] = x[i, j] / s[i] where x[i, j] > 0;
	map y[i, j] = y[i, j] + a[i];
}

// rows so long that several blocks would share one: the host launches the statements apart, unless pinned
kernel long_rows(x: f64[n, 4200], out y: f64[n, 4200])
{
	let top: f64[n];
	reduce top[i] = max[j](x[i, j]);
	map y[i, j] = x[i, j] - top[i];
}

kernel long_pinned(x: f64[n, 4200], out y: f64[n, 4200])
{
	let top: f64[n];
	reduce top[i] = max[j](x[i, j]);
	map y[i, j] = x[i, j] - top[i];
}

schedule long_pinned for cuda { fuse; }
schedule long_pinned for hip { fuse; }
schedule inner_rows for cuda { fuse; }
schedule inner_rows for hip { fuse; }
schedule octets for cuda { no fuse; }
