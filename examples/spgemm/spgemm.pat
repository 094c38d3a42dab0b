// spgemm.pat - C = A B of sparse matrices in rows of their nonzeros (CSR), by expanding, sorting
// and compressing (Bell, Dalton and Olson 2012).  Row i of C is made of products A[i,j] B[j,k], in
// the order of A's nonzeros; sorted by k within the row, those of one cell are neighbours.  How
// many products there are, and how many cells, the host must know before it can make room: it reads
// them between the kernels. m and l are one more than the rows of A and B.  A sum over one index
// reads what stands there.

// The products of A's nonzero e are number start[e] .. start[e+1]; those of row i end[i] ..
// end[i+1].  busy: the nonzeros that have any.
kernel count(a_row: i32[m], a_column: i32[a], b_row: i32[l], out start: i64[a+1], out end: i64[m],
             out busy: i32[a])
{
	let many: i64[a+1];

	map many[e] = 0;
	reduce many[e] = sum[j in a_column[e]..a_column[e]+1](b_row[j+1] - b_row[j]) for e in 0..a;
	scan start[e] = sum(many[e]) exclusive;
	reduce end[i] = sum[e in a_row[i]..a_row[i]+1](start[e]);
	compact busy = i32(e) where many[e] > 0 for e in 0..a;
}

// Product p is number nth[p] of nonzero busy[of[p] - 1].  column, value: of the products, in order;
// head: where a cell of C begins; before[i]: so many are in the rows before i.
kernel expand(a_column: i32[a], a_value: f32[a], b_row: i32[l], b_column: i32[b], b_value: f32[b],
              start: i64[a+1], end: i64[m], busy: i32[a], out column: i32[products],
              out value: f32[products],
              out head: bool[products], out before: i64[m])
{
	let nth: i64[products];
	let of: i64[products];
	let e: i32[products];       // that nonzero of A, its column, and which nonzero of B
	let j: i32[products];
	let from: i64[products];
	let cells: i64[m];

	scan nth[p] = sum[p](i64(1)) segments start exclusive;
	scan of[p] = count(nth[p] == 0);
	reduce e[p] = sum[g in of[p]-1..of[p]](busy[g]);
	reduce value[p] = sum[g in e[p]..e[p]+1](a_value[g]),
		j[p] = sum[g in e[p]..e[p]+1](a_column[g]);
	reduce from[p] = nth[p] + sum[g in j[p]..j[p]+1](b_row[g]);
	reduce column[p] = sum[f in from[p]..from[p]+1](b_column[f]),
	       value[p] = value[p] * sum[f in from[p]..from[p]+1](b_value[f]);

	by_column: segsort column with value segments end stable;

	scan nth[p] = sum[p](i64(1)) segments end exclusive;
	map head[p] = nth[p] == 0;
	stencil head[p] = head[p] || column[p] != column[p-1] for p in 1..products;
	map cells[i] = 0;
	reduce cells[i] = count[p in end[i]..end[i+1]](head[p]) for i in 0..m-1;
	scan before[i] = sum(cells[i]) exclusive;
}

// The products of one cell are added.
kernel compress(column: i32[products], value: f32[products], head: bool[products],
                out c_column: i32[cells], out c_value: f32[cells])
{
	let first: i64[cells+1];

	map first[c] = products;
	compact first = p where head[p];
	reduce c_column[c] = sum[p in first[c]..first[c]+1](column[p]);
	reduce c_value[c] = sum[p in first[c]..first[c+1]](value[p]);
}
