// wavefront: problems of 8 lanes and of a warp, of different lengths, letters that go from lane to
// lane.
kernel batch(q: u8[m], d: u8[l, n], length: i32[l], out H: i32[l, m, n])
{
	all: wavefront H[k, i, j] = max(max(H[k, i, j-1], H[k, i-1, j]) - 1,
		H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -2)) boundary (i32(j) - 2 * i32(i))
		for k in 0..l, i in 0..m, j in 0..length[k];
}
kernel scores(q: u8[m], d: u8[l, n], length: i32[l], out best: i32[l])
{
	let H: i32[l, m, n];
	all: wavefront H[k, i, j] = max(max(H[k, i, j-1], H[k, i-1, j]) - 1,
		H[k, i-1, j-1] + (q[i] == d[k, j] ? 3 : -2)) boundary 0
		for k in 0..l, i in 0..m, j in 0..length[k];
	reduce best[k] = max[i in 0..m, j in 0..length[k]](H[k, i, j]);
}
schedule scores for cuda { all: sweep batch; }
schedule scores for hip { all: sweep strips; }
schedule batch for cuda { all: sweep batch; }
schedule batch for hip { all: sweep batch; }
test small_and_larger {
	batch(l = 5, m = 21, n = 30, q = random, d = random, length = [30, 1, 0, 17, 8]);
	batch(l = 3, m = 150, n = 41, q = random, d = random, length = [41, 40, 3]);
	scores(l = 5, m = 21, n = 30, q = random, d = random, length = [30, 1, 0, 17, 8]);
	scores(l = 3, m = 300, n = 4, q = random, d = random, length = [4, 3, 0]);
}
