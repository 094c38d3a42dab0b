// privatised.pat - items that meet in cells of the block's own, on a CPU in those of chunks: more than one block holds, the first of many, a scatter's few.
op least(a: i16, b: i16) -> i16 = min(a, b) identity 32767, associative, commutative;
kernel parts(k: i32[n], x: f32[n], a: u8[n, m], inout h: f64[10000], inout g: i32[20000]) {
	sums: histogram h[k[i]] += f64(x[i]);
	counts: histogram g[100 * i64(a[i, j]) - 300] += 1 drop;
}
kernel hot(k: i32[n], x: f32[n], inout h: u32[m], inout t: i16[m], inout f: f32[m]) {
	ones: histogram h[k[i]] += 1;
	low: histogram t[k[i]] least= i16(i % 1000) drop where x[i] > 0;
	sums: histogram f[k[i]] += x[i];
}
kernel few(k: u8[n], x: i32[n], inout y: i32[256], inout z: i32[4, 64], inout c: u32[8]) {
	scatter y[k[i]] += x[i];
	scatter z[k[i] / 64, k[i] % 64] max= x[i];
	memory: scatter c[k[i] % 8] ^= u32(x[i]);
}
struct Range { lo, hi: f32 }
op spans(a: Range, b: Range) -> Range = Range(min(a.lo, b.lo), max(a.hi, b.hi))
	identity Range(inf, -inf), associative, commutative;
kernel pages(k: i32[n, m, l], x: f32[n, m, l], inout r: Range[7], inout s: f16[40], inout b: bool[l]) {
	histogram r[k[i, j, q]] spans= Range(x[i, j, q], x[i, j, q]) for i in 0..n, j in 1..m, q in 0..l-1;
	histogram s[k[i, j, q]] += f16(x[i, j, q]) drop;
	scatter b[k[i, j, q]] any= x[i, j, q] > 0 where i < j;
}
schedule parts for cpu { privatise; counts: privatise 2; }
schedule hot for cpu { privatise 16; }
schedule few for cpu { memory: privatise 1; }
schedule pages for cpu { privatise 4; }
schedule parts for cuda { sums: privatise, coarsen 2; counts: privatise 2; }
schedule parts for hip { sums: privatise, coarsen 2; counts: privatise 2; }
schedule hot for cuda { ones: privatise first 2; low: privatise first 3, coarsen 1; sums: privatise first 10000, coarsen 2; }
schedule hot for hip { ones: privatise first 2; low: privatise first 3, coarsen 1; sums: privatise first 10000, coarsen 2; }
schedule few for cuda { memory: no privatise; }
