// The most pairs of a folded RNA: each part from its shorter parts
kernel nussinov(seq: i8[n], out table: i32[n, n]) {
	map table[i, j] = 0;
	repeat d < n - 1 {
		reduce table[i, i+d+1] = max(table[i, i+d], table[i+1, i+d+1],
			table[i+1, i+d] + (d > 0 && seq[i] + seq[i+d+1] == 3 ? 1 : 0),
			max[k in i+1..i+d+1](table[i, k] + table[k+1, i+d+1])) for i in 0..n-1-d;
	}
}
