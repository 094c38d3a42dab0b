kernel back(x: i32[n], inout p: i32[m], out c: i64) {
	reduce c = count[i](x[i] > 0);
	scan p[i] = sum(x[i]) from right for i in 0..c;
}
kernel forth(c: i64[1], inout p: i64[m]) {
	let lo: i64;
	map lo = c[0];
	scan p[i] = sum(i) for i in lo..m;
}
