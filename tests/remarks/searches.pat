// patc --target=cuda --arch=sm_90
// Searches of a sorted array: the cells of a block share a segment of it.
kernel searches(x: f32[m], v: f32[n], out first: i64[n]) {
	map first[i] = search(x, v[i]);
}
