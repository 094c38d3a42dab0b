// fetch.pat - cells from anywhere, items to anywhere: what bench measures of gathers and scatters.
struct Pair { most: f32, count: i32 }
op joined(a: Pair, b: Pair) -> Pair = Pair(max(a.most, b.most), a.count + b.count)
	identity Pair(-inf, 0), associative, commutative;
kernel gather_f32(k: i32[n], x: f32[m], inout y: f32[n]) {
	gather y[i] = x[k[i]];
}
kernel scatter_f32(k: i32[n], x: f32[n], inout y: f32[m]) {
	scatter y[k[i]] += x[i];
}
kernel scatter_i32(k: i32[n], x: i32[n], inout y: i32[m]) {
	scatter y[k[i]] += x[i];
}
kernel scatter_f64(k: i32[n], x: f64[n], inout y: f64[m]) {
	scatter y[k[i]] += x[i];
}
kernel scatter_f16(k: i32[n], x: f16[n], inout y: f16[m]) {
	scatter y[k[i]] += x[i];
}
kernel scatter_u16(k: i32[n], x: u16[n], inout y: u16[m]) {
	scatter y[k[i]] += x[i];
}
kernel scatter_u8(k: i32[n], x: u8[n], inout y: u8[m]) {
	scatter y[k[i]] += x[i];
}
kernel counts_i32(k: i32[n], inout h: i32[m]) {
	histogram h[k[i]] += 1;
}
kernel weights_f32(k: i32[n], x: f32[n], inout y: f32[m]) {
	histogram y[k[i]] += x[i];
}
kernel scatter_max_f32(k: i32[n], x: f32[n], inout y: f32[m]) {
	scatter y[k[i]] max= x[i];
}
kernel scatter_pairs(k: i32[n], x: Pair[n], inout y: Pair[m]) {
	scatter y[k[i]] joined= x[i];
}
