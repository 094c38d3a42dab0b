// Passes until a condition holds, by all blocks in one launch: a stencil, a gather of what others write, a fold and a map.
kernel ends(least: i32, inout a: i32[n, m], out change: i32, out passes: i64) {
	let b: i32[n, m];
	let c: i32[n, m];
	let count: i64;
	map count = 0;
	repeat until change <= least at most 9 {
		stencil b[i, j] = (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) / 4 boundary 0;
		gather c[i, j] = b[i, j] + b[(j + 7) % n, (i + 5) % m] % 3;
		reduce change = max[i, j](abs(c[i, j] - a[i, j]));
		map count = count + 1;
		swap a, c;
	}
	map passes = count;
}
