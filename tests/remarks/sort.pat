// patc --target=cpu
// Keys are merged: nothing is left to the passes.
kernel sorted(inout x: f32[n], inout a: f32[n, m]) {
	sort x;
	segsort a;
}
