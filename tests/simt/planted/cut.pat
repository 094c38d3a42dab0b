// scan by heads, some tiles apart: nothing is joined across one.
kernel cut(x: i32[n], out y: i32[n])
{
	let h: u8[n];
	map h[i] = u8(x[i] % 4000 == 0 ? 1 : 0);
	scan y[i] = sum(x[i]) heads h;
}
schedule cut for cuda { coarsen 1; }
schedule cut for hip { coarsen 1; }

test groups_of_tiles {
	cut(n = 70001, x = random);
}
