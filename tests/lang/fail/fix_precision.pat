kernel f(A: f64[n, l], B: f64[l, m], out C: f64[n, m]) { matmul C[i, j] = sum[k](A[i, k] * B[k, j]) precision tf32; }
kernel h(A: f32[n, l], B: f32[l, m], out C: f32[n, m]) { matmul C[i, j] = sum[k](A[i, k] * B[k, j]) precision TF32; }
