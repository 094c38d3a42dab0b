// sort.pat - the scores of each row, the best first, and who had them.
kernel ranking(inout score: f32[m, 8], inout who: u32[m, 8]) {
	segsort score with who by > stable;
}
