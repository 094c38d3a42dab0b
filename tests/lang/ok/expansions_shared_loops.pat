// Statements of a loop over the same ranges count and add up their lengths once, where nothing writes what says which
// ranges these are.

kernel levels(source: i32, row: i32[m+1], col: i32[n], inout depth: i32[m], out passes: i32) {
	let queue: i32[m];
	let next: i32[m];
	let edge: i32[m];
	let count: i64 = 1;
	let found: i64;
	map queue[i] = clamp(source, 0, i32.max), edge[i] = i32.max, depth[i] = i == source ? 0 : -1;
	map passes = 0;
	repeat until count == 0 at most 4 {
		scatter edge[col[e]] min= i32(e) where depth[col[e]] < 0
			for f in 0..count, e in row[queue[f]]..row[queue[f]+1];
		compact next, found = col[e] where depth[col[e]] < 0 && edge[col[e]] == i32(e)
			for g in 0..count, e in row[queue[g]]..row[queue[g]+1];
		map passes = passes + 1;
		scatter depth[next[i]] = passes unique for i in 0..found;
		swap queue, next;
		map count = found;
	}
}

// queues that are swapped
kernel swapped(row: i32[m+1], inout a: i32[k], inout b: i32[k], inout y: i32[n]) {
	repeat t < 3 {
		scatter y[e] += 1 for f in 0..k, e in row[a[f]]..row[a[f]+1];
		swap a, b;
		scatter y[e] += 2 for f in 0..k, e in row[a[f]]..row[a[f]+1];
	}
}

test shared {
	levels(source = 0, row = [0, 1, 3, 5, 6], col = [1, 0, 2, 1, 3, 2], depth = 0) -> depth = [0, 1, 2, 3], passes = 4;
	swapped(row = [0, 1, 3], a = [0], b = [1], y = [0, 0, 0]) -> y = [4, 5, 5];
}
