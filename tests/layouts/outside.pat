kernel pick(x: f32[n], at: i32[m], out y: f32[m]) {
	gather y[i] = x[at[i]] trusted;
}
kernel put(x: f32[m], at: i32[m], inout y: f32[n]) {
	scatter y[at[i]] = x[i] unique trusted;
}
kernel add(x: f32[m], at: i32[m], inout y: f32[n]) {
	scatter y[at[i]] += x[i] trusted;
}
kernel most(x: u8[m], at: i32[m], inout y: u8[n]) {
	scatter y[at[i]] max= x[i] trusted;
}
kernel rows(x: f32[m], begin: i32[n+1], out y: f32[n]) {
	reduce y[i] = sum[k in begin[i]..begin[i+1]](x[k]) trusted;
}
