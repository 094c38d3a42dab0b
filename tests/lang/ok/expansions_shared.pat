// Statements over the same ranges count and add up their lengths once, where nothing writes what says which ranges
// these are.

// the offsets are written in between
kernel moved(inout row: i32[m+1], step: i32, x: i32[m], inout y: i32[n], inout z: i32[n]) {
	gather y[e] = x[f] for f in 0..m, e in row[f]..row[f+1];
	map row[i] = max(row[i] - step % 3, 0);
	gather z[e] = x[f] for f in 0..m, e in row[f]..row[f+1];
	gather z[e] += x[f] for f in 0..m, e in row[f]..row[f+1];
}

// the second one leaves out in silence what the first one records; the third one shares the first one's ranges
kernel told(lo: i32[m], hi: i32[m], inout y: i32[n], inout z: i32[n], inout h: i64[n]) {
	scatter y[e] += 1 for f in 0..m, e in lo[f]..hi[f];
	scatter z[e] += i32(f) drop for f in 0..m, e in lo[f]..hi[f];
	histogram h[e] += f for f in 0..m, e in lo[f]..hi[f];
}

// another index, other bounds, an array of another size, and one range alone
kernel others(lo: i32[m], k: i64, inout y: i32[n], inout z: i32[m], inout count: i64) {
	scatter y[e] += 1 for f in 0..m, e in i64(lo[f])..i64(lo[f])+2;
	scatter z[e] += 1 for f in 0..m, e in i64(lo[f])..i64(lo[f])+2;
	scatter y[e] += 2 for f in 0..min(k, m), e in i64(lo[f])..i64(lo[f])+2;
	scatter y[e] += 3 for f in 0..min(k, m), e in i64(lo[f])..i64(lo[f])+2 where m > 0;
	scatter y[e] += 4 for e in 0..count;
	scatter y[e] += 5 for e in 0..count;
}

// what is in a branch, or a loop, does not tell what is after it
kernel branches(row: i32[m+1], k: i32, inout y: i32[n]) {
	if k > 0 {
		scatter y[e] += i32(f) for f in 0..m, e in row[f]..row[f+1];
		scatter y[e] += 1 for f in 0..m, e in row[f]..row[f+1];
	}
	scatter y[e] += 2 for f in 0..m, e in row[f]..row[f+1];
	repeat t < 2 {
		scatter y[e] += 3 for f in 0..m, e in row[f]..row[f+1];
	}
	scatter y[e] += 4 for f in 0..m, e in row[f]..row[f+1];
}

test shared {
	moved(row = [1, 2, 4], step = 1, x = [5, 7], y = [0, 0, 0, 0], z = [0, 0, 0, 0])
		-> y = [0, 5, 7, 7], z = [10, 14, 14, 0], row = [0, 1, 3];
	told(lo = [0, -1], hi = [2, 1], y = [0, 0], z = [0, 0], h = [0, 0])
		-> y = [2, 1], z = [1, 0], h = [1, 0] status index;
	branches(row = [0, 1, 3], k = 1, y = [0, 0, 0]) -> y = [13, 14, 14];
}
