// A = Q R, column by column; what is left of A is orthogonal to the columns that are done
kernel gramschmidt(inout A: f64[m, n], inout R: f64[n, n], out Q: f64[m, n]) {
	repeat k < n {
		reduce R[k, k] = sqrt(sum[i](A[i, k] * A[i, k]));
		map Q[i, k] = A[i, k] / R[k, k] for i in 0..m;
		reduce R[k, j] = sum[i](Q[i, k] * A[i, j]) for j in k+1..n;
		map A[i, j] -= Q[i, k] * R[k, j] for i in 0..m, j in k+1..n;
	}
}
