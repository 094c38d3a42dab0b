kernel f(x: f32[n], out y: f32[n]) {
	scan y[i] = x[i] using + = ○;
	scan y[i] = x[i] using ○ = %;
	scan y[i] = x[i] using ○;
}
