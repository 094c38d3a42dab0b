// what random programs found in the answers of boundaries
// the value outside reads the array whose reads it answers
kernel value_reads_itself(x: i32[n], inout w: i64[n, m], out y: i32[n], out v: i64[n, m]) {
	stencil y[i] = x[i-1] ^ x[i+2] boundary (i >= 0 && i < n ? x[i] : i32(i) * 5);
	stencil v[i, j] = w[i-1, j] - 3 * w[i, j+2] boundary
		(i >= 0 && i < n && j >= 0 && j < m ? w[i, j] : i * 100 + j);
	stencil w[i, j] += v[i+1, j-1] boundary (clamp, j < 0 && i >= 0 && i < n ? w[i, 0] * 0 : 7)
		where false;
}
schedule value_reads_itself for cuda { stage shared; }
schedule value_reads_itself for hip { stage shared; }

// cells that a boundary keeps hold what the caller had there, though a loop that may make no pass fills them
kernel kept(x: i64[n, 4], out y: i64[n, 4]) {
	repeat t < 0 { map y[i, j] = x[i, j]; }
	stencil y[i, j] = (x[i-2, j] ^ x[i, j]) + x[i+2, j+1] boundary keep;
	map y[i, j] = 5 - 3 * y[i, j];
}

// comparisons of comparisons are printed with the parentheses that -Wparentheses wants
kernel chain(x: u32[n], y: bool[n], out z: bool[n]) {
	map z[i] = ((x[i] > 7) == y[i]) == ((x[i] < 100) == (y[i] != (i > 3)));
}
