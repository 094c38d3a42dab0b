// Names that C, C++, CUDA or HIP have taken, and clause words as variables.
struct double_ { int, float: f32 }
fn main(register: f32) -> f32 = 2 * register;
kernel printf(stream: f32[n], workspace: f32, boundary: f32, clamp: f32, out stable: f32[n], inout threadIdx: double_[n]) {
	map stable[i] = main(stream[i]) + workspace * boundary * clamp;
	map threadIdx[int].float = 1;
	stencil stable[i] = stream[i-1] boundary clamp;
	stencil stable[i] = stream[i-1] boundary (2 * boundary);
}
