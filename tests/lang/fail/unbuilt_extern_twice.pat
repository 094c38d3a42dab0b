extern fn e(x: f32) -> f32 from "e.cuh";
extern fn d(x: f32) -> f32 from "e.cuh";
kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = x[i];
}
