kernel early(x: f32[n], out y: f32[n]) {
	let t: f32[n];
	let s: f32;
	map y[i] = t[i] + s;
	map t[i] = x[i];
	reduce s = sum[i](t[i]);
	map y[i] = y[i] + t[i] + s;
}
kernel never(x: f32[n], out y: f32[n]) {
	let t: f32[n];
	map y[i] = x[i] where t[i] > 0;
}
kernel fine(x: i32[n], out y: i32[8], out p: i32[n], inout a: i32[n]) {
	let c: i32[8];
	let s: i32;
	let b: i32[n];
	histogram c[x[i] & 7] += 1;
	map y[k] = c[k];
	repeat t < 3 {
		let own: i32;
		map b[i] = a[i] + s;
		reduce s = max[i](a[i]);
		map own = s;
		map p[i] = b[i] + own;
		swap a, b;
	}
}
kernel passes(x: i32[n], out y: i32[n]) {
	repeat t < 3 {
		let own: i32;
		map y[i] = x[i] + own;
		map own = i32(t);
	}
}
kernel calls(x: f32[n], out y: f32[n]) {
	let a: f32[n];
	let b: f32[n];
	let c: f32[n];
	early(a, y);
	early(x, b);
	early(b, c);
	map y[i] = c[i];
}
kernel sorted(x: f32[n], inout key: f32[n], out y: f32[n]) {
	let at: i64[n];
	sort key into at;
	gather y[i] = x[at[i]];
}
