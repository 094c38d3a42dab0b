// An array in order
kernel hybridsort(inout x: f32[n]) {
	sort x;
}
