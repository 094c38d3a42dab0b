kernel swaps(x: f32[n], inout a: f32[n], out b: f32[n], steps: i64) {
	let c: f32[n];
	map b[i] = x[i];
	repeat t < steps {
		map c[i] = a[i] + b[i];
		swap a, c;
		swap b, c;
	}
}
// A temporary that is cleared in each pass, behind a swap with an array that may be null.
kernel afresh(x: f32[n], inout a: f32[n], steps: i32) {
	repeat t < steps {
		let c: f32[n];
		stencil c[i] += x[i - 1] for i in 1..n;
		swap a, c;
	}
}
// Small cells: the last word of the caller's array may have fewer of them than a word has room for.
kernel afresh_bytes(inout a: u8[n], inout b: bf16[n, m], x: u8[n]) {
	repeat t < 3 {
		let c: u8[n];
		let d: bf16[n, m];
		stencil c[i] += x[i - 1] for i in 1..n;
		swap a, c;
		swap b, d;
	}
}
