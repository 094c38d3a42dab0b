/* Automata in parallel: what a character does to the states is a table, and tables are composed, first
 * that on the left.  A table leads into the four states there are, or the operator has no identity.
 *
 * The automaton finds comments of C: 0 is text, 1 a slash in it, 2 a comment, 3 a star in that.  Fields that data index lie in
 * the local memory of a GPU: this program is compiled for a CPU. */
struct Table { to: u8[4] }

op compose(p: Table, q: Table) -> Table =
	Table([q.to[p.to[0] & 3], q.to[p.to[1] & 3], q.to[p.to[2] & 3], q.to[p.to[3] & 3]])
	identity Table([0, 1, 2, 3]), associative
	for v where v.to[0] < 4 && v.to[1] < 4 && v.to[2] < 4 && v.to[3] < 4;

fn does(c: u8) -> Table =
	c == 47 ? Table([1, 1, 2, 0]) : c == 42 ? Table([0, 2, 3, 3]) : Table([0, 0, 2, 2]);

kernel comments(text: u8[n], out state: u8[n], out last: u8, out inside: i64) {
	let upto: Table[n];
	let whole: Table;
	scan upto[i] = compose(does(text[i]));
	map state[i] = upto[i].to[0];
	reduce whole = compose[i](does(text[i]));
	map last = whole.to[0];
	reduce inside = count[i](upto[i].to[0] >= 2);
}

/* Sixteen states: a condition may call a function, which loops here. */
struct Wide { to: u8[16] }
fn leads_inside(v: Wide) -> bool {
	for k in 0..16 { if v.to[k] >= 16 { return false; } }
	return true;
}
op chain(p: Wide, q: Wide) -> Wide {
	var r: Wide;
	for k in 0..16 { r.to[k] = q.to[p.to[k] & 15]; }
	return r;
} identity Wide([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]), associative
	for v where leads_inside(v);

fn adds(x: u8) -> Wide {
	var r: Wide;
	for k in 0..16 { r.to[k] = u8(k * 3 + i64(x) & 15); }
	return r;
}

kernel walk(x: u8[n], out at: u8) {
	let all: Wide;
	reduce all = chain[i](adds(x[i]));
	map at = all.to[0];
}

test known {
	comments(text = [97, 47, 42, 98, 42, 47, 97]) -> state = [0, 1, 2, 2, 3, 0, 0], last = 0, inside = 3;
	comments(n = 0, text = 0) -> last = 0, inside = 0;
	walk(x = [1, 2, 3]) -> at = 2;
}
