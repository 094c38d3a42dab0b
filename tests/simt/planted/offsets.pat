// scan by offsets: each tile looks for its own.
kernel offsets(x: i32[n], out y: i32[n])
{
	let off: i64[n];
	map off[k] = min(k * 7 + i64(x[k] & 3), n);
	scan y[i] = sum(x[i]) segments off;
}
schedule offsets for cuda { coarsen 1; }

test groups_of_tiles {
	offsets(n = 70001, x = random);
}
