// Vectors, one a row, are added to one
kernel vectors(iterations: i64, x: f64[number, length], inout total: f64[length]) {
	repeat t < iterations {
		reduce total[j] = total[j] + sum[i](x[i, j]);
	}
}
