// Recurrences of every type: they compute in a wider one, and cells are stored in their own.

kernel recur_f32(x: f32[n], b: f32[n], out y: f32[n], out z: f32[n], out w: f32[n], out v: f32[n], out u: f32[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 0.75 * z[i+1] + x[i] from 0.5;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = 0.5 * u[i-1] - 0.25 * u[i-2] + x[i];
}

kernel recur_f64(x: f64[n], b: f64[n], out y: f64[n], out z: f64[n], out w: f64[n], out v: f64[n], out u: f64[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 0.75 * z[i+1] + x[i] from 0.5;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = 0.5 * u[i-1] - 0.25 * u[i-2] + x[i];
}

kernel recur_f16(x: f16[n], b: f16[n], out y: f16[n], out z: f16[n], out w: f16[n], out v: f16[n], out u: f16[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 0.75 * z[i+1] + x[i] from 0.5;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = 0.5 * u[i-1] - 0.25 * u[i-2] + x[i];
}

kernel recur_bf16(x: bf16[n], b: bf16[n], out y: bf16[n], out z: bf16[n], out w: bf16[n], out v: bf16[n], out u: bf16[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 0.75 * z[i+1] + x[i] from 0.5;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = 0.5 * u[i-1] - 0.25 * u[i-2] + x[i];
}

kernel recur_i8(x: i8[n], b: i8[n], out y: i8[n], out z: i8[n], out w: i8[n], out v: i8[n], out u: i8[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 3 * z[i+1] + x[i] from 7;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = u[i-1] + u[i-2] + x[i];
}

kernel recur_i16(x: i16[n], b: i16[n], out y: i16[n], out z: i16[n], out w: i16[n], out v: i16[n], out u: i16[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 3 * z[i+1] + x[i] from 7;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = u[i-1] + u[i-2] + x[i];
}

kernel recur_i32(x: i32[n], b: i32[n], out y: i32[n], out z: i32[n], out w: i32[n], out v: i32[n], out u: i32[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 3 * z[i+1] + x[i] from 7;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = u[i-1] + u[i-2] + x[i];
}

kernel recur_i64(x: i64[n], b: i64[n], out y: i64[n], out z: i64[n], out w: i64[n], out v: i64[n], out u: i64[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 3 * z[i+1] + x[i] from 7;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = u[i-1] + u[i-2] + x[i];
}

kernel recur_u8(x: u8[n], b: u8[n], out y: u8[n], out z: u8[n], out w: u8[n], out v: u8[n], out u: u8[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 3 * z[i+1] + x[i] from 7;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = u[i-1] + u[i-2] + x[i];
}

kernel recur_u16(x: u16[n], b: u16[n], out y: u16[n], out z: u16[n], out w: u16[n], out v: u16[n], out u: u16[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 3 * z[i+1] + x[i] from 7;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = u[i-1] + u[i-2] + x[i];
}

kernel recur_u32(x: u32[n], b: u32[n], out y: u32[n], out z: u32[n], out w: u32[n], out v: u32[n], out u: u32[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 3 * z[i+1] + x[i] from 7;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = u[i-1] + u[i-2] + x[i];
}

kernel recur_u64(x: u64[n], b: u64[n], out y: u64[n], out z: u64[n], out w: u64[n], out v: u64[n], out u: u64[n])
{
	scan y[i] = b[i] * y[i-1] + x[i];
	scan z[i] = 3 * z[i+1] + x[i] from 7;
	scan w[i] = max(w[i-1] + b[i], x[i]);
	scan v[i] = max(min(v[i-1], b[i]), x[i]);
	scan u[i] = u[i-1] + u[i-2] + x[i];
}
