// What leaves an array only where a size has more than 64 bits: no numbers can be named that show it.
kernel offset(x: f64[n+(0-9223372036854775807-1), m+3], out r: f64[n]) {
	reduce r[i] = sum[j in 0..m](x[i+1, j+2] * x[i, m - j]);
}
