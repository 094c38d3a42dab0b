// The same scores in every order: room.c asks how much workspace they want.
kernel tiles(q: u8[m], d: u8[n], out best: i32) {
	let H: i32[m, n];
	all: wavefront H[i, j] = max(max(H[i, j-1], H[i-1, j]) - 2, max(H[i-1, j-1] + (q[i] == d[j] ? 3 : -3), 0)) boundary 0;
	reduce best = max[i, j](H[i, j]);
}
kernel hybrid(q: u8[m], d: u8[n], out best: i32) {
	let H: i32[m, n];
	all: wavefront H[i, j] = max(max(H[i, j-1], H[i-1, j]) - 2, max(H[i-1, j-1] + (q[i] == d[j] ? 3 : -3), 0)) boundary 0;
	reduce best = max[i, j](H[i, j]);
}
kernel rows(q: u8[m], d: u8[n], out best: i32) {
	let H: i32[m, n];
	all: wavefront H[i, j] = max(max(H[i, j-1], H[i-1, j]) - 2, max(H[i-1, j-1] + (q[i] == d[j] ? 3 : -3), 0)) boundary 0;
	reduce best = max[i, j](H[i, j]);
}
kernel strips(q: u8[m], d: u8[n], out best: i32) {
	let H: i32[m, n];
	wavefront H[i, j] = max(max(H[i, j-1], H[i-1, j]) - 2, max(H[i-1, j-1] + (q[i] == d[j] ? 3 : -3), 0)) boundary 0;
	reduce best = max[i, j](H[i, j]);
}
kernel last_row(q: u8[m], d: u8[n], out last: i32[n]) {
	let H: i32[m, n];
	all: wavefront H[i, j] = max(max(H[i, j-1], H[i-1, j]) - 2, max(H[i-1, j-1] + (q[i] == d[j] ? 3 : -3), 0)) boundary 0;
	map last[j] = 0 < m ? H[m-1, j] : 0;
}
kernel planes(q: u8[m], d: u8[n], out best: i32) {
	let H: i32[m, n, 100];
	all: wavefront H[i, j, k] = max(max(H[i, j-1, k], H[i-1, j, k], H[i, j, k-1]) - 2, H[i-1, j-1, k-1] + (q[i] == d[j] ? 3 : 0)) boundary 0;
	reduce best = max[i, j, k](H[i, j, k]);
}
kernel batch(q: u8[m], d: u8[k, n], out best: i32[k]) {
	let H: i32[k, m, n];
	wavefront H[b, i, j] = max(max(H[b, i, j-1], H[b, i-1, j]) - 2, max(H[b, i-1, j-1] + (q[i] == d[b, j] ? 3 : -3), 0)) boundary 0;
	reduce best[b] = max[i, j](H[b, i, j]);
}
schedule tiles for cuda { all: sweep diagonal; }
schedule tiles for hip { all: sweep diagonal; }
schedule hybrid for cuda { all: sweep hybrid; }
schedule hybrid for hip { all: sweep hybrid; }
schedule rows for cuda { all: sweep rows; }
schedule rows for hip { all: sweep rows; }
schedule last_row for cuda { all: sweep diagonal; }
