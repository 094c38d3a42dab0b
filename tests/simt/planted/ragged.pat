// reduce over ranges of an array: parts of equal work; rows from none to many parts long.
kernel ragged(off: i32[r+1], x: i32[n], out y: i32[r])
{
	reduce y[i] = sum[e in off[i]..off[i+1]](x[e]);
}

test long_rows {
	ragged(off = [3, 10, 10, 30000, 30001, 34000, 34000, 60001], x = random, n = 60010);
	ragged(off = [0, 60001], x = random, n = 60001);
	ragged(off = [0, 5, 140000], x = random, n = 140000);
	ragged(off = [0, 5000, 3000, 6000], x = random, n = 6000) -> status index;
}
