// scatter: cells of a word and of a byte, many items a cell.
kernel met(k: i32[n], x: i32[n], u: u8[n], inout y: i32[m], inout c: u8[m])
{
	scatter y[k[i]] += x[i], c[k[i]] += u[i] drop;
}

test rows {
	met(k = 1, x = random, u = random, y = 0, c = 0, n = 300, m = 3);
	met(k = random, x = random, u = random, y = random, c = random, n = 300, m = 40);
	met(k = [-1, 2, 2, 1, 2147483647, 2, 0, 3], x = random, u = random, y = random, c = random,
		m = 3);
}
