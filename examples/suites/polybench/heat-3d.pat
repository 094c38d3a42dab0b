// Heat in a cube: two buffers, each step from the other one, the border kept
fn step(c: f64, west: f64, east: f64, south: f64, north: f64, below: f64, above: f64) -> f64 =
	0.125 * (east - 2 * c + west) + 0.125 * (north - 2 * c + south)
		+ 0.125 * (above - 2 * c + below) + c;

kernel heat_3d(tsteps: i64, inout A: f64[n, n, n], inout B: f64[n, n, n]) {
	repeat t < tsteps {
		stencil B[i, j, k] =
			step(A[i, j, k], A[i-1, j, k], A[i+1, j, k], A[i, j-1, k], A[i, j+1, k],
			A[i, j, k-1],
			A[i, j, k+1]) for i in 1..n-1, j in 1..n-1, k in 1..n-1;
		stencil A[i, j, k] =
			step(B[i, j, k], B[i-1, j, k], B[i+1, j, k], B[i, j-1, k], B[i, j+1, k],
			B[i, j, k-1],
			B[i, j, k+1]) for i in 1..n-1, j in 1..n-1, k in 1..n-1;
	}
}
