// patc --target=cuda
// Histograms: with bins of the block's own, or in the order of the items.
kernel counts(x: u8[n], w: f32[n], inout h: i32[256], inout g: f32[256]) {
	private: histogram h[x[i]] += 1;
	ordered: histogram g[x[i]] += w[i] strict;
}
