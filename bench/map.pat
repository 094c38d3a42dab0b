// map.pat - what one pass over memory does: every kernel here is bound by bandwidth.
kernel copy_f32(x: f32[n], out y: f32[n])
{
	map y[i] = x[i];
}

kernel saxpy_f32(a: f32, x: f32[n], inout y: f32[n])
{
	map y[i] = a * x[i] + y[i];
}

kernel saxpy_f64(a: f64, x: f64[n], inout y: f64[n])
{
	map y[i] = a * x[i] + y[i];
}

kernel saxpy_f16(a: f16, x: f16[n], inout y: f16[n])
{
	map y[i] = a * x[i] + y[i];
}

kernel saxpy_bf16(a: bf16, x: bf16[n], inout y: bf16[n])
{
	map y[i] = a * x[i] + y[i];
}

kernel saxpy_u8(a: u8, x: u8[n], inout y: u8[n])
{
	map y[i] = u8(a * x[i] + y[i]);
}

// Four statements and three temporaries; one pass when they are fused.
kernel chain(x: f32[n], out y: f32[n])
{
	let s: f32[n];
	let r: f32[n];
	let t: f32[n];

	map s[i] = x[i] * x[i] + 1;
	map r[i] = sqrt(s[i]);
	map t[i] = r[i] * sin(x[i]);
	map y[i] = t[i] + x[i];
}

// The same by the vector functions of the C library.
kernel chain_approx(x: f32[n], out y: f32[n])
{
	let s: f32[n];
	let r: f32[n];
	let t: f32[n];

	map s[i] = x[i] * x[i] + 1;
	map r[i] = sqrt(s[i]);
	map t[i] = r[i] * sin(x[i]) approx;
	map y[i] = t[i] + x[i];
}
