// suffix_array.pat - all suffixes of a text in order, by prefix doubling (Manber and Myers 1990):
// what is in order by its first h bytes is in order by 2 h once each group of equals is sorted by
// the ranks of what comes h bytes later.

kernel suffix_array(text: u8[n], out order: u32[n], out passes: i32)
{
	let start: u32[n];
	let head: bool[n];          // is another suffix than the one before, as far as has been looked
	let rank: u32[n];           // the first place of its group: by place, then by where the suffix begins
	let at: u32[n];
	let later: u32[n];          // rank of what comes h bytes later, from 1 on; 0 behind the end
	let group: i32[n+1];
	let h: i64;
	let groups: i64;
	let before: i64;            // as many groups there were a pass ago

	// Four bytes of a text without zeros are a number; what is behind its end comes first.
	first: stencil start[i] = u32(text[i]) << 24 | u32(text[i+1]) << 16 | u32(text[i+2]) << 8
		| u32(text[i+3])
		boundary constant 0;
	map order[i] = u32(i);
	sort start with order;
	map head[p] = p == 0;
	stencil head[p] = start[p] != start[p-1] for p in 1..n;
	reduce groups = count[p](head[p]);
	map h = 4, before = 0, passes = 0;

	repeat until groups == n || groups == before at most 32 {
		map before = groups;
		scan rank[p] = max(head[p] ? u32(p) : 0);
		map at[p] = order[p];
		back: sort at with rank;
		behind: reduce later[p] =
			sum[i in order[p] + h .. min(order[p] + h + 1, n)](rank[i] + 1);
		map group[g] = i32(n);
		compact group = i32(p) where head[p];
		split: segsort later with order segments group;
		stencil head[p] = head[p] || later[p] != later[p-1] for p in 1..n;
		reduce groups = count[p](head[p]);
		map h *= 2, passes += 1;
	}
}
