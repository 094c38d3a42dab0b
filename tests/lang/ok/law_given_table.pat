/* Automata in parallel: what a character does to the states is a table, and tables are composed, first
 * that on the left.  A table leads into the four states there are, or the operator has no identity.
 *
 * The automaton finds comments of C: 0 is text, 1 a slash in it, 2 a comment, 3 a star in that.  Its tables are the four
 * bytes of an integer. */
fn to(v: u32, k: u32) -> u32 = v >> (8 * (k & 3)) & 255;
fn second(p: u32, q: u32, k: u32) -> u32 = to(q, to(p, k)) << (8 * k);
op composed(p: u32, q: u32) -> u32 =
	second(p, q, 0) | second(p, q, 1) | second(p, q, 2) | second(p, q, 3)
	identity 50462976, associative
	for v where to(v, 0) < 4 && to(v, 1) < 4 && to(v, 2) < 4 && to(v, 3) < 4;

fn packed(c: u8) -> u32 = c == 47 ? 131329 : c == 42 ? 50528768 : 33685504;

kernel packed_comments(text: u8[n], out state: u8[n]) {
	let upto: u32[n];
	scan upto[i] = composed(packed(text[i]));
	map state[i] = u8(upto[i] & 255);
}

test known {
	packed_comments(text = [97, 47, 42, 98, 42, 47, 97]) -> state = [0, 1, 2, 2, 3, 0, 0];
}
