// wavefront.pat - the best local alignment that ends at each pair of letters (Smith and Waterman).
kernel align(q: u8[m], d: u8[n], match: i32, gap: i32, out H: i32[m, n])
{
	wavefront H[i, j] = max(max(H[i, j-1] - gap, H[i-1, j] - gap),
		max(H[i-1, j-1] + (q[i] == d[j] ? match : -match), 0))
	          boundary 0;
}
