// helpers of backends/rt that no other program here needs: every operation in every type that has it
op keep8(a: i8, b: i8) -> i8 = a == 0 ? b : a identity 0, associative;
op keep16(a: i16, b: i16) -> i16 = a == 0 ? b : a identity 0, associative;
op keepu8(a: u8, b: u8) -> u8 = a == 0 ? b : a identity 0, associative;

kernel columns(x: i8[n, m], y: i16[n, m], z: u8[n, m], out p: i8[m], out q: i16[m], out r: u8[m]) {
	reduce p[j] = keep8[i](x[i, j]), q[j] = keep16[i](y[i, j]), r[j] = keepu8[i](z[i, j]);
}
kernel neighbours(a: i8[h, n, m], b: i16[h, n, m], c: i64[h, n, m], d: u32[h, n, m], e: u64[h, n, m], out p: i8[h, n, m],
                  out q: i16[h, n, m], out r: i64[h, n, m], out s: u32[h, n, m], out t: u64[h, n, m]) {
	s1: stencil p[i, j, k] = a[i-1, j, k] + a[i+1, j, k-1] boundary clamp;
	s2: stencil q[i, j, k] = b[i-1, j, k] + b[i+1, j, k-1] boundary clamp;
	s3: stencil r[i, j, k] = c[i-1, j, k] + c[i+1, j, k-1] boundary clamp;
	s4: stencil s[i, j, k] = d[i-1, j, k] + d[i+1, j, k-1] boundary clamp;
	s5: stencil t[i, j, k] = e[i-1, j, k] + e[i+1, j, k-1] boundary clamp;
}
schedule neighbours for cuda { s1: stage registers; s2: stage registers; s3: stage registers; s4: stage registers; s5: stage registers; }
schedule neighbours for hip { s1: stage registers; s2: stage registers; s3: stage registers; s4: stage registers; s5: stage registers; }

kernel casts(x: f32[n], y: f64[n], out a: i16[n], out b: i64[n], out c: i8[n], out d: u16[n]) {
	map a[i] = i16(x[i]), b[i] = i64(y[i]), c[i] = i8(y[i]), d[i] = u16(y[i]);
}
kernel unsigned_ones(x: u32[n], y: u64[n], out a: u32[n], out b: u64[n], out c: i32[n]) {
	map a[i] = min(clamp(x[i], 3, 100), abs(x[i]) + 1);
	map b[i] = min(clamp(y[i], 3, 100), abs(-y[i]));
	map c[i] = clz(x[i]) + ctz(x[i]) + popcount(x[i]);
}
kernel quotients(x: f64[n], y: f64[n], u: u64[n], v: u64[n], out z: f64[n], out w: u64[n]) {
	map z[i] = x[i] / 0.0 + y[i], w[i] = u[i] / v[i];
}
