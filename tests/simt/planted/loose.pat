// wavefront: strips that take no end of rows and columns into account but where they store; lanes
// begin at the first column, and beside it; rows end within a vector.
kernel loose(d: i32[n], inout A: i32[m, n])
{
	wavefront A[i, j] = max(A[i, j] + A[i, j-1], A[i-1, j-1] - A[i+1, j], d[j]) - A[i, j+1]
		for i in 1..m-1, j in 1..n-1;
}
kernel met(q: i32[m], d: i32[n], inout H: i32[m, n])
{
	wavefront H[i, j] = max(H[i, j-1] - 2, H[i-1, j] - 2, H[i-1, j-1] + (q[i] == d[j] ? 3 : -1))
		for i in 0..m, j in 0..n-1 boundary 7;
}

test beside_the_first {
	loose(m = 301, n = 88, d = random, A = random);
}
test at_the_first {
	met(m = 301, n = 88, q = random, d = random, H = random);
}
