struct S { f: f32[2, 2] }
fn made(x: f32) -> S { return S([[x, 1], [2, 3]]); }
fn lists(x: f32) -> f32 {
	let a: f32[3] = [1, 2];
	let b: f32[2, 2] = [1, 2, 3, 4];
	let c: f32[2] = [x, true];
	let d: f32 = [1];
	let e: f32[1] = [e[0]];
	let g = [1, 2];
	return a[0] + c[1];
}
fn whole(x: f32) -> S {
	var a: f32[4];
	let s = S(made(x).f);
	let t = S(a);
	return S(x > 0 ? s.f : t.f);
}
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = lists(x[i]);
}
