// histogram.pat - the canonical histogram: every block counts into bins of its own.
kernel histogram(x: u8[n], inout h: u32[256]) {
	histogram h[x[i]] += 1;
}
