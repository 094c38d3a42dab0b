// compact: tiles learn from those before where their places begin.
kernel kept(x: i32[n], out y: i32[k], out c: i64)
{
	compact y, c = x[i] where x[i] >= 0;
}

test groups_of_tiles {
	kept(n = 303001, k = 200000, x = random);
	kept(n = 303001, k = 100000, x = random);
}
