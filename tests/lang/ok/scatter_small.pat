// Temporaries of one and two bytes whose cells items are combined in: the last word is cleared whole.
kernel u(k: i64[n], out y: u8[n]) {
	let t: u8[n];
	scatter t[k[i]] max= 3;
	map y[i] = t[i] + 1;
}
kernel halves(k: i64[n], inout y: f16[m]) {
	require n < 3000;
	repeat s < 2 {
		let t: f16[m];
		scatter t[k[i]] += 1;
		map y[i] = t[i] + y[i];
	}
}
kernel odd(k: i64[n], x: i16[n], inout y: i16[n]) {
	let e: i16;
	repeat until e > 3 at most 2 {
		let t: i16[n];
		scatter t[k[i]] min= x[i];
		map y[i] = t[i] + y[i];
		reduce e = max[i](y[i]);
	}
}
