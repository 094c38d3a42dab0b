// scan.pat - what runs along a sequence: sums, recurrences, segments, rows and columns.
kernel scan_f32(x: f32[n], out y: f32[n])
{
	scan y[i] = sum(x[i]);
}

kernel scan_exclusive_f32(x: f32[n], out y: f32[n])
{
	scan y[i] = sum(x[i]) exclusive;
}

kernel scan_f64(x: f64[n], out y: f64[n])
{
	scan y[i] = sum(x[i]);
}

kernel scan_i32(x: i32[n], out y: i32[n])
{
	scan y[i] = sum(x[i]);
}

kernel scan_max_f32(x: f32[n], out y: f32[n])
{
	scan y[i] = max(x[i]);
}

// First order, one weight for all and one for each; second order.
kernel decay_f32(a: f32, x: f32[n], out y: f32[n])
{
	scan y[i] = (y[i-1] ○ a) ◇ x[i] using ○ = *, ◇ = +;
}

kernel decay_each_f32(b: f32[n], x: f32[n], out y: f32[n])
{
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = +;
}

kernel biquad_f32(b0: f32, b1: f32, b2: f32, a1: f32, a2: f32, x: f32[n], out y: f32[n])
{
	scan y[i] = b0 * x[i] + b1 * (i > 0 ? x[i-1] : 0) + b2 * (i > 1 ? x[i-2] : 0)
		- a1 * y[i-1] - a2 * y[i-2];
}

// The same segments, said in three ways.
kernel scan_offsets_f32(off: i32[m], x: f32[n], out y: f32[n])
{
	scan y[i] = sum(x[i]) segments off;
}

kernel scan_heads_f32(h: u8[n], x: f32[n], out y: f32[n])
{
	scan y[i] = sum(x[i]) heads h;
}

kernel scan_keys_f32(k: i32[n], x: f32[n], out y: f32[n])
{
	scan y[i] = sum(x[i]) keys k;
}

kernel scan_rows_f32(x: f32[n, m], out y: f32[n, m])
{
	scan y[i, j] = sum[j](x[i, j]);
}

kernel scan_columns_f32(x: f32[n, m], out y: f32[n, m])
{
	scan y[i, j] = sum[i](x[i, j]);
}
