// One array by digits: tiles of 384 cells learn from those before where their digits go.
kernel digits(inout key: u16[n], inout val: f32[n])
{
	map key[i] = (key[i] ^ u16(i)) * 40503;
	sort key with val stable;
}
schedule digits for cuda { coarsen 1; }
schedule digits for hip { coarsen 1; }

test tiles {
	digits(n = 9000, key = random, val = random);
}
