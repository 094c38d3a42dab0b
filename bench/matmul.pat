// matmul.pat - products: plain ones, with what follows inside, over another semiring, and a million
// of them.
kernel product_f32(a: f32[n, l], b: f32[l, m], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
}

kernel product_f64(a: f64[n, l], b: f64[l, m], out c: f64[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
}

kernel product_f16(a: f16[n, l], b: f16[l, m], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
}

kernel product_bf16(a: bf16[n, l], b: bf16[l, m], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
}

kernel product_i8(a: i8[n, l], b: i8[l, m], out c: i32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
}

// the right operand lies along the terms
kernel along_f16(a: f16[n, l], b: f16[m, l], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[j, k]);
}

kernel along_bf16(a: bf16[n, l], b: bf16[m, l], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[j, k]);
}

kernel along_i8(a: i8[n, l], b: i8[m, l], out c: i32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[j, k]);
}

kernel product_tf32(a: f32[n, l], b: f32[l, m], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]) precision tf32;
}

kernel along_e4m3(a: f8e4m3[n, l], b: f8e4m3[m, l], out c: bf16[n, m])
{
	matmul c[i, j] = bf16(sum[k](a[i, k] * b[j, k]));
}

kernel along_tf32(a: f32[n, l], b: f32[m, l], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[j, k]) precision tf32;
}

kernel product_tf32x3(a: f32[n, l], b: f32[l, m], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[k, j]) precision tf32x3;
}

kernel along_tf32x3(a: f32[n, l], b: f32[m, l], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[i, k] * b[j, k]) precision tf32x3;
}

kernel product_transposed(a: f32[l, n], b: f32[m, l], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[k, i] * b[j, k]);
}

fn gelu(x: f32) -> f32 = 0.5 * x * (1 + erf(0.70710678 * x));

kernel layer_f32(a: f32[n, l], b: f32[l, m], bias: f32[m], out c: f32[n, m])
{
	let p: f32[n, m];
	matmul p[i, j] = sum[k](a[i, k] * b[k, j]) + bias[j];
	map c[i, j] = gelu(p[i, j]);
}

kernel paths_f32(a: f32[n, l], b: f32[l, m], out c: f32[n, m])
{
	matmul c[i, j] = min[k](a[i, k] + b[k, j]);
}

kernel paths_i32(a: i32[n, l], b: i32[l, m], out c: i32[n, m])
{
	matmul c[i, j] = min[k](a[i, k] + b[k, j]);
}

kernel tiny2_f32(a: f32[s, 2, 2], b: f32[s, 2, 2], out c: f32[s, 2, 2])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * b[q, k, j]);
}

kernel tiny3_f32(a: f32[s, 3, 3], b: f32[s, 3, 3], out c: f32[s, 3, 3])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * b[q, k, j]);
}

kernel tiny4_f32(a: f32[s, 4, 4], b: f32[s, 4, 4], out c: f32[s, 4, 4])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * b[q, k, j]);
}

kernel tiny8_f32(a: f32[s, 8, 8], b: f32[s, 8, 8], out c: f32[s, 8, 8])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * b[q, k, j]);
}

kernel tiny16_f32(a: f32[s, 16, 16], b: f32[s, 16, 16], out c: f32[s, 16, 16])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * b[q, k, j]);
}

kernel tiny4_f64(a: f64[s, 4, 4], b: f64[s, 4, 4], out c: f64[s, 4, 4])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * b[q, k, j]);
}

kernel batch_f32(a: f32[s, n, l], b: f32[s, l, m], out c: f32[s, n, m])
{
	matmul c[q, i, j] = sum[k](a[q, i, k] * b[q, k, j]);
}
