kernel reads(x: f32[n], k: i64[n], out y: f32[n], out z: f32[n], inout c: i32[8]) {
	gather y[i] = x[n - 1 - i] trusted;
	gather z[i] = x[k[i]] trusted;
	histogram c[k[i] & 7] += 1 trusted;
	scatter z[k[i]] += x[i] trusted;
}
kernel all(x: f32[n], out y: f32[n]) {
	reduce y[i] = sum[j in 0..i](x[j])
		trusted;
}
