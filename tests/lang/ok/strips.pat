// Items of a histogram and a scatter that do not begin at a vector's boundary.
kernel strips(x: i64[n], w: f64[m, n], a: i64, inout seen: i32[40], inout best: f64[16], inout count: u32[16])
{
	scatter seen[x[i]] += 1 drop for i in 1..n-2;
	histogram best[x[i] & 15] max= w[j, i] for j in 0..m, i in 3..n;
	histogram count[x[i] & 15] += 1 for i in max(min(a, 5), 1)..n;
}
