// functions: expression and block bodies, every statement of a body, structs as values
struct P { x, y: f32 }
struct Q { a: P, w: f64, k: i32 }
const T: i32[4] = [3, 1, 4, 1];
fn relu(x: f32) -> f32 = max(x, 0);
fn sq(x: f64) -> f64 = x * x;
fn norm(p: P) -> f32 = sqrt(p.x * p.x + p.y * p.y);
fn add(p: P, q: P) -> P = P(p.x + q.x, p.y + q.y);
fn gcd(a: i32, b: i32) -> i32 {
	var x = abs(a);
	var y = abs(b);
	while y != 0 {
		let t = x % y;
		x = y;
		y = t;
	}
	return x;
}
fn collatz(n: u32) -> i32 {
	var k = n % 97;
	var steps: i32 = 0;
	while k > 1 {
		if k % 2 == 0 { k = k / 2; } else { k = 3 * k + 1; }
		steps += 1;
		if steps > 500 { break; }
	}
	return steps;
}
fn odd_sum(n: i32) -> i32 {
	var s: i32 = 0;
	for i in 0..n {
		if i % 2 == 0 { continue; }
		if i > 20 { break; }
		s += i32(i);
	}
	return s;
}
fn sign(x: f32) -> i32 {
	if x > 0 { return 1; }
	else if x < 0 { return -1; }
	else { return 0; }
}
fn grade(x: i32) -> i32 {
	var g: i32;
	if x < 0 { g = 1; } else if x < 10 { g = 2; } else if x < 100 { g = 3; } else { g = 4; }
	g *= 10;
	g -= 1;
	g |= 64;
	g ^= 3;
	g max= 5;
	return g;
}
fn tab(i: i32) -> i32 {
	var s: i32 = 0;
	for k in 0..4 { s += T[k] * i; }
	return s + T[clamp(i, 0, 3)];
}
fn poly(x: f64) -> f64 {
	let a: f64 = 2;
	let b = sq(x) + a;
	var r = b;
	for i in 0..3 {
		let b2 = r * 0.5;
		r = b2 + x;
	}
	return r;
}
fn nested(n: i32) -> i32 {
	var s: i32 = 0;
	for i in 0..n {
		for j in i..n {
			if j > i + 3 { break; }
			var k: i32 = 0;
			while true {
				k += 1;
				if k >= 3 { break; }
				if k == 2 { continue; }
				s += i32(i * j);
			}
		}
	}
	return s;
}
fn mover(p: P, dx: f32) -> P {
	var q = p;
	q.x += dx;
	q.y = -q.y;
	return q;
}
fn later(x: f32) -> f32 = before(x) + 1;
fn before(x: f32) -> f32 = x * 2;
fn make(i: i64) -> Q = Q(P(f32(i), 2), f64(i) * 0.5, i32(i));
fn both(a: bool, b: bool) -> bool = a & !b | a ^ b;

kernel f1(x: f32[n], out y: f32[n]) { map y[i] = relu(x[i]) + later(x[i]); }
kernel f2(a: i32[n], b: i32[n], out y: i32[n]) { map y[i] = gcd(a[i], b[i]); }
kernel f3(a: u32[n], out y: i32[n]) { map y[i] = collatz(a[i]); }
kernel f4(a: i32[n], out y: i32[n]) { map y[i] = odd_sum(a[i] % 50); }
kernel f5(a: f32[n], out y: i32[n]) { map y[i] = sign(a[i]); }
kernel f6(a: i32[n], out y: i32[n]) { map y[i] = grade(a[i]) + tab(a[i] % 8); }
kernel f7(x: f64[n], out y: f64[n]) { map y[i] = poly(x[i]); }
kernel f8(out y: i32[n]) { map y[i] = nested(i32(i % 9)); }
kernel f9(p: P[n], d: f32, out q: P[n], out r: f32[n]) {
	map q[i] = mover(add(p[i], P(1, 2)), d);
	map r[i] = norm(q[i]);
}
kernel f10(out q: Q[n], out s: f32[n]) {
	map q[i] = make(i);
	map s[i] = q[i].a.x + f32(q[i].w) + f32(q[i].k);
}
kernel f11(a: bool[n], b: bool[n], out c: bool[n]) { map c[i] = both(a[i], b[i]); }
kernel f12(x: f32[n], out s: f32) { reduce s = sum[i](relu(x[i])); }
kernel f13(x: f32[n], out y: f32[n]) { stencil y[i] = relu(x[i-1]) + before(x[i+1]) boundary clamp; }
