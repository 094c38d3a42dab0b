kernel f(x: f32[n], g: f32[n, 9], out y: f32[n], inout a: f32[n, m], k: i64, out b: f32[n, m]) {
	line: wavefront y[i] = x[i] + y[i-1] boundary 0;
	cut: wavefront a[i, j] = a[i-1, j] + 1 for i in 1..k, j in 0..m boundary 0;
	far: wavefront b[i, j] = b[i-1, j] + b[i, j-50] boundary 0;
}
schedule f for cuda { line: sweep strips; cut: sweep strips; far: sweep strips; }
