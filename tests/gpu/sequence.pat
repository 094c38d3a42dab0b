// sequence.pat - the kernels sequence.cu runs: what passes along an array, on shapes beyond 2^31 and on data that
// would find a tile's edge.  Integers, which wrap, so that every order of sums gives the same bits.
kernel sums(x: i32[n], out y: i32[n])
{
	scan y[i] = sum(x[i]);
}

kernel sums_f32(x: f32[n], out y: f32[n])
{
	scan y[i] = sum(x[i]);
}

kernel maxima_u8(x: u8[n], out y: u8[n])
{
	scan y[i] = max(x[i]);
}

kernel sums_behind(x: i32[n], out y: i32[n])
{
	scan y[i] = sum(x[i]) exclusive from right;
}

kernel thrice(x: i32[n], out y: i32[n])
{
	scan y[i] = (y[i-1] ○ 3) ◇ x[i] using ○ = *, ◇ = +;
}

kernel weighted(b: i32[n], x: i32[n], out y: i32[n])
{
	scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = +;
}

kernel by_offsets(off: i64[m], x: i32[n], out y: i32[n])
{
	scan y[i] = sum(x[i]) segments off;
}

kernel by_heads(h: u8[n], x: i32[n], out y: i32[n])
{
	scan y[i] = sum(x[i]) heads h;
}

kernel by_keys(k: i32[n], x: i32[n], out y: i32[n])
{
	scan y[i] = sum(x[i]) keys k;
}

kernel along_rows(x: i32[n, m], out y: i32[n, m])
{
	scan y[i, j] = sum[j](x[i, j]);
}

kernel along_columns(x: i32[n, m], out y: i32[n, m])
{
	scan y[i, j] = sum[i](x[i, j]);
}

kernel thirds(x: u8[n], out y: u8[k], out count: i64)
{
	compact y, count = x[i] where i % 3 == 1;
}

kernel odd_places(x: u8[n], out y: i64[k], out count: i64)
{
	compact y, count = i where x[i] % 2 == 1;
}

kernel parted(x: u8[n], out y: i64[k], out z: i64[r], out count: i64)
{
	compact y, count = i where x[i] % 2 == 1 else z;
}

kernel some_order(x: u8[n], inout y: i64[k], out count: i64)
{
	compact y, count = i where x[i] % 2 == 1 unordered;
}

kernel segment_sums(off: i64[s+1], x: i32[n], out y: i32[s])
{
	reduce y[r] = sum[e in off[r]..off[r+1]](x[e]);
}

kernel csr(row: i64[r+1], col: i32[nnz], val: i32[nnz], x: i32[c], out y: i32[r])
{
	reduce y[i] = sum[e in row[i]..row[i+1]](val[e] * x[col[e]]);
}
