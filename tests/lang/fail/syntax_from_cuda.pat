kernel e(in x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
const int R = 3;
fn a(x: f32): f32 { return x; }
kernel b(x: f32[n], out y: f32[n]) -> f32 { map y[i] = x[i]; }
kernel c<<<1, 256>>>(x: f32[n]) { map y[i] = x[i]; }
kernel d(x: f32[n], out y: f32[n])
	map y[i] = x[i];
kernel f(x: f32*, out y: f32[n]) { map y[i] = x[i]; }
kernel g(x: f32[], out y: f32[n]) { map y[i] = x[i]; }
kernel h(x: f32[n], out y: f32[n],) { map y[i] = x[i]; }
kernel k(x: f32[n], out y: f32[n]) {
	map y[:] = x[:];
	y = x;
	s += 1;
	let c = 2;
	let float q = 2;
	stencil y[i] = { return x[i]; };
	stencil y[i] = x[i-1] boundary=clamp;
	atomicAdd(&y, 1);
	__syncthreads();
	map y[i] = x[i],
}
