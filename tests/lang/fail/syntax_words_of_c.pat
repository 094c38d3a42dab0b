const A = 0.5;
struct P { x: f32; y: f32; }
struct Q { float x; float y; }
kernel f(const float *x, out y: f32[n]) { map y[i] = 1; }
kernel g(x: f32[n], out y: f32[n]) {
	y[i] = x[i];
	map y[i] = x[i] ** 2;
	map y[i] = (float)x[i] * 2;
	map y[i] = (float)i / 2;
}
fn h(x: f32) -> f32 {
	var k: i32 = 0;
	float m;
	k++;
	++k;
	k--;
	return x;
}
__global__ void k(float *x) { }
fn l(x: f32) -> f32 {
	const B = 2;
	return x;
}
