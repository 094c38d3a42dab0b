kernel swaps(x: f32[n], inout a: f32[n], out b: f32[n], steps: i64) {
	let c: f32[n];
	map b[i] = x[i];
	repeat t < steps {
		map c[i] = a[i] + b[i];
		swap a, c;
		swap b, c;
	}
}
