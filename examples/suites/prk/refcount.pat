// Many references at a time to few shared counters: how often each was taken and left, what is in use, and their most
kernel refcount(taken: i32[m], left_: i32[m], inout count_: i64[counters], inout stamp: i32[counters]) {
	scatter count_[taken[i]] += 1, count_[left_[i]] += -1;
	scatter stamp[taken[i]] max= i32(i);
}
