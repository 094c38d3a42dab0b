// What goes before and behind a sort: temporaries, loops, lengths and numbers that the device knows, swaps.
kernel a(x: f32[n], inout key: u32[n], inout val: u32[n], out s: u32, steps: i32) {
	let t: u32[n];
	let k: u32[n];
	map t[i] = key[i] ^ val[i];
	map k[i] = t[i] % 7;
	repeat q < steps { sort t with k stable; swap t, k; }
	map key[i] = t[i];
	map val[i] = k[i];
	reduce s = max[i](t[i]);
}
kernel b(key: f32[m, n], out at: i32[m, n], out best: f32[m]) {
	segsort key by > first 1 stable into at;
	map best[r] = n > 0 ? f32(at[r, 0]) : 0;
}
kernel dev(inout key: i32[n], x: i32[n], off: i64[s], out y: i32[n]) {
	let k: i64;
	reduce k = count[i](x[i] > 0);
	segsort key segments of k first k stable;
	map y[i] = key[i] for i in 0..k;
}
kernel until_(inout key: u32[n], inout e: u32[n], off: i32[s], out t: i32) {
	let c: i32;
	map c = 0;
	repeat until c > 2 at most 5 { segsort key with e segments off stable; map c = c + 1; map e[i] = e[i] + 1; }
	map t = c;
}
