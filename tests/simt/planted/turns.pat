// Tiles of 512 structs, the fewest there are, which two passes merge in one launch.
struct P { key: i64, rest: i64[8] }
fn before(a: P, b: P) -> bool = a.key < b.key;
kernel turns(inout p: P[n]) { sort p by before; }

test passes {
	turns(n = 1900, p = random);
}
