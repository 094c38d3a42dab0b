// whole vectors are loaded and stored in one access each: vectors.sass counts what the compiler made of it
kernel copy_f32(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
kernel copy_f16(x: f16[n], out y: f16[n]) { map y[i] = x[i]; }
kernel narrow(x: f32[n], out y: bf16[n]) { map y[i] = bf16(x[i]); }
kernel widen(x: f16[n], out y: f32[n]) { map y[i] = x[i]; }
kernel relu(x: f16[n], out y: f16[n]) { map y[i] = max(x[i], 0); }
kernel choose(x: bf16[n], out y: bf16[n]) { map y[i] = x[i] > 1 ? x[i] * 2 : 3; }
kernel saxpy_f16(a: f16, x: f16[n], inout y: f16[n]) { map y[i] = a * x[i] + y[i]; }
kernel saxpy_bf16(a: bf16, x: bf16[n], inout y: bf16[n]) { map y[i] = a * x[i] + y[i]; }
kernel saxpy_u16(a: u16, x: u16[n], inout y: u16[n]) { map y[i] = u16(a * x[i] + y[i]); }
kernel larger_i8(x: i8[n], inout y: i8[n]) { map y[i] = max(x[i], y[i]); }
kernel positive(x: f32[n], out y: bool[n]) { map y[i] = x[i] > 0; }
kernel ramp(x: f16[n], out y: f16[n]) { map y[i] = x[i] + i % 7; }
kernel outer(a: f16[m, n], r: f16[n], out b: f16[m, n]) { map b[i, j] = a[i, j] * r[j]; }
kernel line(x: f32[n], out y: f32[n]) { stencil y[i] = x[i-1] + x[i+1] boundary wrap; }
kernel plane(a: bf16[m, n], out b: bf16[m, n])
{
	stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
}
kernel space(a: f16[l, m, n], out b: f16[l, m, n])
{
	stencil b[i, j, k] = 0.25 * (a[i-1, j, k] + a[i, j+1, k] + a[i, j, k-1] + a[i, j, k+1]) boundary clamp;
}
