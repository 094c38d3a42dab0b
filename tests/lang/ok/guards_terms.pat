// Terms of ragged rows whose reads only a condition keeps inside.
kernel terms(row: i32[n+1], x: u16[d], y: u16[d], p: i32[d], inout a: u16[n], inout b: u16[n], out e: u32[n])
{
	reduce a[i] = max[j in row[i]..row[i+1]](u16(x[j] - (j + 2 < d ? x[j+2] : 5)));
	reduce b[i] = u16(sum[j in row[i]..row[i+1]](u16(y[j] * (j >= 1 ? x[j-1] : (j > 1 ? y[j-2] : 2)))));
	reduce e[i] = sum[j in row[i]..row[i+1]](p[j] >= 0 && p[j] < d ? u32(x[p[j]]) : 1);
}
