// max_segment.pat - the largest sum of neighbouring cells (maximum segment sum: Futhark's examples,
// Bentley 1984).  Patterns: reduce with an operator.
struct Part { sum, best, first, last: i64 }
op then(p: Part, q: Part) -> Part = Part(p.sum + q.sum, max(p.best, q.best, p.last + q.first),
		max(p.first, p.sum + q.first), max(q.last, q.sum + p.last))
	identity Part(0, 0, 0, 0), associative
	for v where v.first >= 0 && v.first >= v.sum && v.last >= 0 && v.last >= v.sum
		&& v.best >= v.first && v.best >= v.last;
fn single(x: i64) -> Part = Part(x, max(x, 0), max(x, 0), max(x, 0));

kernel max_segment(x: i32[n], out best: i64) {
	reduce best = then[i](single(x[i])).best;
}

test known {
	max_segment(x = [1, -2, 3, 4, -1, 5, -6, 1]) -> best = 11;
	max_segment(x = [-1, -2]) -> best = 0;
}
