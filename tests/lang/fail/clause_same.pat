// A clause that says the same twice.
kernel f(x: f32[n], out y: f32[n]) {
	stencil y[i] = x[i-1] boundary clamp boundary clamp;
}
