const TABLE: i32[4] = [3, 1, 4, 1];
fn relu(x: f32) -> f32 = max(x, 0);
fn steps(n0: i64) -> i32 {
	var n = n0;
	var count: i32;
	while n > 1 {
		if n % 2 == 0 { n /= 2; } else if n > 1000000 { break; } else { n = 3 * n + 1; }
		count += 1;
	}
	return count;
}
fn poly(x: f32) -> f32 {
	var r: f32 = 0;
	for k in 0..4 {
		if k == 2 { continue; }
		let c = f32(TABLE[k] + TABLE[(k + 1) % 4]);
		r = r * x + c;
	}
	return later(r);
}
fn later(x: f32) -> f32 = clamp(x, -1, 1) + copysign(0.5, x) + (isnan(x) ? 1 : fma(x, x, 2));
fn shifted(k: i32) -> i32 = TABLE[clamp(k, 0, 3)] + TABLE[k & 3];
kernel functions(x: f32[n], k: i32[n], out y: f32[n], out c: i32[n]) {
	map y[i] = relu(x[i]) + poly(x[i]);
	map c[i] = steps(i) + shifted(k[i]);
}
