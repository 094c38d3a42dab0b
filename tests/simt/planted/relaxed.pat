// wavefront: three strips of rows on CUDA, with columns beside whole parts, and old values below.
kernel relaxed(d: i32[n], inout A: i32[m, n])
{
	wavefront A[i, j] = (A[i, j] + A[i, j-1] + A[i-1, j] + A[i+1, j] + A[i, j+1]) / 4 + d[j]
		boundary 1;
}

test three_strips {
	relaxed(m = 300, n = 84, d = random, A = random);
}
