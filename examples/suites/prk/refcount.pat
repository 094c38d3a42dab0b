// Many references at a time to few shared counters: one up for each taken, one down for each left, and the last who took
kernel refcount(taken: i32[m], left_: i32[m], inout count_: i64[counters],
                inout stamp: i32[counters]) {
	histogram count_[taken[i]] += 1;
	histogram count_[left_[i]] -= 1;
	histogram stamp[taken[i]] max= i32(i);
}
