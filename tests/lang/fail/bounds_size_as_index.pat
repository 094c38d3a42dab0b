kernel f(a: f32[i], out c: f32[i]) {
	map c[i] = a[i];
}
kernel g(a: f32[n, m], out c: f32[n]) {
	map c[k] = a[k, m];
}
