// wavefront: two cells a word, in a batch of short problems, and of one whose values just do not
// fit 16 bits
kernel packed(q: u8[m], d: u8[l, n], length: i32[l], out best: i32[l])
{
	let H: i32[l, m, n];
	all: wavefront H[k, i, j] = max(H[k, i, j-1] - 2, H[k, i-1, j] - 2, H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -1)) boundary (-i32(j))
		for k in 0..l, i in 0..m, j in 0..length[k];
	reduce best[k] = max[i in 0..m, j in 0..length[k]](H[k, i, j]);
}
kernel large(d: u8[l, n], q: u8[m], out best: i32[l])
{
	let H: i32[l, m, n];
	all: wavefront H[k, i, j] = max(H[k, i, j-1], H[k, i-1, j], H[k, i-1, j-1] + (q[i] % 2 == d[k, j] % 2 ? 1000 : -1000)) boundary 0;
	reduce best[k] = max[i, j](H[k, i, j]);
}
schedule packed for cuda { all: sweep batch, pack 16; }
schedule packed for hip { all: sweep batch, pack 16; }
schedule large for cuda { all: sweep batch, pack 16; }
schedule large for hip { all: sweep batch, pack 16; }
test packed {
	packed(l = 5, m = 21, n = 30, q = random, d = random, length = [30, 1, 0, 17, 8]);
	packed(q = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2], d = [[9, 1, 2, 3, 4, 5, 6, 8, 9, 1, 2, 3, 9, 9, 9]], length = [15]);
	large(q = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
		d = [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]]) -> best = [31000];
	large(q = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
		d = [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]]) -> best = [33000];
}
