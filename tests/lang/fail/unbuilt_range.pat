kernel f(off: i32[m+1], x: f32[n], z: f32[m], inout y: f32[n]) {
	stencil y[i] = x[i] + x[i-1] boundary clamp for i in off[0]..off[m];
	reduce y[i] = sum[e in 0..sum[k](off[k])](x[e]);
}
