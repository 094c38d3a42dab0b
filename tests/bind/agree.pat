// One program that C and all bindings call with the same data: they print the same bits.
struct Mass { at: f64[2], weight: f32 }

kernel agree(a: f32[n, m], b: f64[n, m] layout col, p: Mass[n], scale: f32, flip: bool, inout y: f64[n, m], out total: f64, out row: i64) {
	require scale > 0;
	map y[i, j] += a[i, j] * scale * b[i, j] * p[i].at[1] + (flip ? p[i].weight : 0);
	reduce total = sum[i, j](y[i, j]);
	reduce row = argmax[i](p[i].weight - f32(i));
}
