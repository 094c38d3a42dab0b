// concordance.pat - which words stand on each line of a text, a sparse matrix by rows (CSR),
// becomes on which lines each word stands: its transpose.  A histogram counts the cells of each
// column, a scan says where it begins, and a stable sort by columns brings the cells there, in the
// order of their rows.

// Line r has the words word[row[r]] .. word[row[r+1]-1], each of them times[e] times; m and n are
// one more than there are lines and words.
kernel transpose(row: i32[m], word: i32[cells], times: i32[cells],
                 out column: i32[n], out line: i32[cells], out often: i32[cells])
{
	let many: i32[n];
	let begin: i32[cells];
	let key: i32[cells];

	map many[w] = 0;
	histogram many[word[e]] += 1;
	scan column[w] = sum(many[w]) exclusive;

	// the line of a cell: so many have begun behind the first one; those without words at the
	// end begin nowhere
	map begin[e] = 0;
	scatter begin[row[r]] += 1 for r in 1..m-1 drop;
	scan line[e] = sum(begin[e]);

	map key[e] = word[e], often[e] = times[e];
	sort key with line, often stable;
}
