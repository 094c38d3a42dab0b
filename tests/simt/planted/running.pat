// scan: tiles of one vector a thread, so that there are several groups of them.
kernel running(x: i32[n], out y: i32[n])
{
	scan y[i] = sum(x[i]);
}
schedule running for cuda { coarsen 1; }
schedule running for hip { coarsen 1; }

test three_groups_of_tiles {
	running(n = 70001, x = random);
}
