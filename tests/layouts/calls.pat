kernel f(x: f32[n], at: i32[n], out y: f32[n]) {
	let sums: f32[n];
	scan sums[i] = sum(x[i]);
	gather y[i] = sums[at[i]];
}
