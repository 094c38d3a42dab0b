// what a histogram does: a block's own bins in copies, in parts, the first of them, and those that
// a sample finds.
kernel binned(x: u8[n], w: i32[n], inout h: i32[24], inout g: i32[m])
{
	all: histogram h[x[i] % 24] += w[i];
	hot: histogram g[x[i]] += 1 drop;
}
kernel parts(x: u8[n], inout h: f64[9000])
{
	cut: histogram h[40 * i32(x[i])] += 1 drop;
}
kernel found(x: u8[n], inout f: i64[9000])
{
	histogram f[i32(x[i]) + 4000] += 1;
}
schedule binned for cuda { all: coarsen 2; hot: privatise first 2; }
schedule binned for hip { all: coarsen 2; hot: privatise first 2; }
schedule parts for cuda { cut: privatise, coarsen 1; }
schedule parts for hip { cut: privatise, coarsen 1; }
schedule found for cuda { privatise hot; }
schedule found for hip { privatise hot; }
