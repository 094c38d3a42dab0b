// search.pat - where keys are: in a sorted array, by halves, and in a table of hashes, by a walk
// from the slot where a key belongs to the one where it is; and two sorted arrays become one.

// ---- a sorted array ----

// The first place whose key is not below this one.
fn place_of(x: i32[n], key: i32) -> i64 {
	var first: i64 = 0;
	var past: i64 = n;
	while first < past at most 64 {
		let middle = first + (past - first) / 2;
		let below = x[middle] < key;
		first = below ? middle + 1 : first;
		past = below ? past : middle;
	}
	return first;
}
kernel search_sorted(x: i32[n], key: i32[m], out place: i64[m]) {
	map place[i] = place_of(x, key[i]);
}
// Lanes whose keys are found take the next ones.
kernel search_refill(x: i32[n], key: i32[m], out place: i64[m]) {
	keys: map place[i] = place_of(x, key[i]);
}
schedule search_refill for cuda { keys: walk refill; }
schedule search_refill for hip { keys: walk refill; }
// The same by the function of the language.
kernel search_own(x: i32[n], key: i32[m], out place: i64[m]) {
	map place[i] = search(x, key[i]);
}

// ---- a table of hashes ----

// A key, and where it is in the array that the table is of; -1: the slot is empty.
struct Slot { key, at: i32 }

// Half of the slots are empty.  At the end there are as many as the keys, so that no walk has to
// go on from the beginning; the last one stays empty.
fn home_of(key: i32, n: i64) -> i64 {
	var h: u32 = u32(key);
	h = (h ^ h >> 16) * 0x7feb352d;
	h = (h ^ h >> 15) * 0x846ca68b;
	return i64(h ^ h >> 16) % (2 * n);
}
// The keys, each once, in the order of their homes.  A key is at home, or after the key before it:
// slot[i] = max(slot[i-1] + 1, home[i]), a recurrence that is computed in parallel.
kernel hash(x: i32[n], out slot: Slot[3 * n + 1]) {
	let home: i64[n];
	let order: i32[n];
	let place: i64[n];
	map home[i] = home_of(x[i], n);
	map order[i] = i32(i);
	sort home with order;
	scan place[i] = max(place[i-1] + 1, home[i]);
	map slot[s] = Slot(0, -1);
	scatter slot[place[i]] = Slot(x[order[i]], order[i]) unique;
}
fn probed(slot: Slot[s], key: i32) -> i32 {
	var at: i64 = s > 1 ? home_of(key, s / 3) : 0;
	while at < s && slot[at].at >= 0 && slot[at].key != key at most s { at += 1; }
	return at < s ? slot[at].at : -1;
}
kernel probe(slot: Slot[s], key: i32[m], out at: i32[m]) {
	map at[i] = probed(slot, key[i]);
}
// Lanes whose keys are found take the next ones.
kernel probe_refill(slot: Slot[s], key: i32[m], out at: i32[m]) {
	keys: map at[i] = probed(slot, key[i]);
}
schedule probe_refill for cuda { keys: walk refill; }
schedule probe_refill for hip { keys: walk refill; }

// ---- two sorted arrays ----

// A key goes after those before it in its own array, and those below it in the other one.  Of
// equal keys those of x come first.
kernel merge(x: i32[n], y: i32[m], out both: i32[n + m]) {
	scatter both[i + place_of(y, x[i])] = x[i] unique;
	scatter both[j + search(x, y[j], upper)] = y[j] unique;
}

test sorted {
	search_sorted(x = [1, 3, 3, 8], key = [0, 1, 2, 3, 9]) -> place = [0, 0, 1, 1, 4];
	search_own(x = [1, 3, 3, 8], key = [0, 1, 2, 3, 9]) -> place = [0, 0, 1, 1, 4];
	search_sorted(n = 0, key = [5]) -> place = [0];
}
test merged {
	merge(x = [1, 3, 3, 8], y = [0, 3, 9]) -> both = [0, 1, 3, 3, 3, 8, 9];
	merge(n = 0, y = [2, 4]) -> both = [2, 4];
}
// Where keys are in an array that is not sorted; -1: nowhere.
kernel look_up(x: i32[n], key: i32[m], out at: i32[m]) {
	let slot: Slot[3 * n + 1];
	hash(x, slot);
	probe(slot, key, at);
}
test hashed {
	look_up(x = [7, 1, 9, -5], key = [9, 2, 7, 1, -5, 0]) -> at = [2, -1, 0, 1, 3, -1];
	look_up(n = 0, key = [0]) -> at = [-1];
	hash(n = 0) -> slot = [Slot(0, -1)];
	probe(slot = [Slot(0, -1)], key = [3]) -> at = [-1];
}
