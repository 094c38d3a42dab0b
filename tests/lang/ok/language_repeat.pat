// repeat: counted, until, nested, with swaps of every kind
kernel r1(inout a: f32[n], out b: f32[n], steps: i32) {
	map b[i] = 0;
	repeat t < steps { stencil b[i] = 0.5 * (a[i-1] + a[i+1]) boundary clamp; swap a, b; }
}
kernel r2(inout a: f32[n], steps: i64) {
	let b: f32[n];
	repeat t < steps { stencil b[i] = 0.5 * (a[i-1] + a[i+1]) + f32(t) boundary wrap; swap a, b; }
}
kernel r3(inout a: f64[n], eps: f64, out err: f64, out passes: i64) {
	let b: f64[n];
	map passes = 0;
	map err = 1;
	repeat until err < 0.01 at most 57 {
		stencil b[i] = 0.5 * (a[i-1] + a[i+1]) boundary clamp;
		reduce err = max[i](abs(b[i] - a[i]));
		map passes += 1;
		swap a, b;
	}
}
kernel r4(inout a: i32[n], out passes: i32) {
	let changed: bool;
	map passes = 0;
	repeat until !changed at most 40 {
		map a[i] = a[i] / 2;
		reduce changed = any[i](a[i] != 0);
		map passes += 1;
	}
}
kernel r5(inout a: f32[n], out s: f32, lim: i32) {
	map s = 0;
	repeat until s > 10 at most lim { map a[i] += 1; map s += 3; }
}
kernel r6(inout a: f32[n], out s: f32) {
	map s = 100;
	repeat until s > 10 at most 0 { map a[i] += 1; map s += 3; }
}
kernel r7(inout a: f32[n], out s: i32) {
	map s = 100;
	repeat until s > 10 at most 5 { map a[i] += 1; map s += 3; }
}
kernel r8(inout a: f32[n], inout b: f32[n], inout c: f32[n], steps: i32) {
	repeat t < steps { map a[i] += f32(t); swap a, b; swap b, c; }
}
kernel r9(inout a: f32[n], inout b: f32[n], inout c: f32[n], stop: i32) {
	let k: i32 = 0;
	repeat until k >= stop at most 9 { map k += 1; map a[i] += f32(k); swap a, b; swap b, c; }
}
kernel r10(inout a: f32[n], inout b: f32[n], stop: i32, m: i32) {
	let k: i32 = 0;
	repeat until k > stop at most 6 {
		repeat t < m { map a[i] = a[i] * 0.5 + f32(t); swap a, b; }
		map k += 1;
	}
}
kernel r11(inout a: f32[n], inout b: f32[n], stop: i32, q: i32) {
	let k: i32 = 0;
	let l: i32 = 0;
	repeat until k > stop at most 5 {
		map l = 0;
		repeat until l >= q at most 4 { map a[i] = a[i] * 0.5 + 1; swap a, b; map l += 1; }
		swap a, b;
		map k += 1;
	}
}
kernel r12(inout a: f32[n], n1: i32, n2: i32) {
	let b: f32[n];
	let c: f32[n];
	map b[i] = a[i] * 2;
	repeat t < n1 {
		repeat u < n2 {
			map c[i] = a[i] - b[i] + f32(t * 10 + u);
			swap a, b;
			swap c, a;
		}
		map a[i] += 1;
	}
}
kernel r13(inout a: f32[n], out b: f32[n], s: i32) {
	map b[i] = a[i] + 1;
	swap a, b;
	map a[i] += 1;
	repeat t < s { swap a, b; map a[i] *= 2; swap a, b; swap a, b; }
	map b[i] -= 3;
}
kernel r14(inout a: f32[n], s: i32) {
	repeat t < s {
		let tmp: f32[n];
		let e: f32;
		map tmp[i] += a[i] + 1;
		reduce e = max[i](tmp[i]);
		map a[i] = tmp[i] / (abs(e) + 1);
	}
}
kernel r15(inout a: f32[n], s: i32) {
	repeat t < s {
		let acc: f32;
		map acc += 1;
		map a[i] += acc;
	}
}
kernel r16(out y: f32[n], s: i32) {
	map y[i] = 0;
	repeat t < s { repeat u < t { map y[i] += f32(u) + 1; } }
}
kernel r17(inout y: f32[n], s: i32) {
	repeat t < s - 2 { map y[i] += 1 for i in t..n; }
}
kernel r18(inout y: f32[n, m], s: i32) {
	repeat t < min(n, m) { map y[i, j] = y[i, j] * 0.5 + f32(t) where i > t; }
}
kernel r19(inout y: f32[n]) {
	repeat t < n { map y[t] = f32(t) * 2; }
}
kernel r20(x: f32[n, m], out y: f32[m]) {
	map y[j] = 0;
	repeat t < n { map y[j] += x[t, j]; }
}
kernel r21(inout a: i64[n], out steps: i64) {
	let m: i64;
	map steps = 0;
	repeat until m <= 1 at most 64 {
		map a[i] = a[i] > 1 ? (a[i] % 64) / 2 : 0;
		reduce m = max[i](a[i]);
		map steps += 1;
	}
}
kernel r22(inout a: f32[n], inout b: f32[n], s: i32) {
	repeat t < s {
		let k: i32 = 0;
		repeat until k > t at most 3 { map k += 1; map a[i] = b[i] + f32(k); swap a, b; }
		swap a, b;
	}
}
