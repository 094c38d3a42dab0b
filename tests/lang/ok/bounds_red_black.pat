// half of the cells read the other half
kernel f(inout u: f32[n, m]) {
	stencil u[i, j] = 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1])
		for i in 1..n-1, j in 1..m-1 where (i + j) % 2 == 0;
	stencil u[i, j] = 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1])
		boundary clamp where (i + j) % 2 == 1;
	stencil u[i, j] = 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1])
		boundary mirror where ((i + j) & 1) == 0;
	stencil u[i, j] = 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1])
		boundary keep where (i + j) % 2 == 0;
}
