// sgemm.pat - C = A B, four times the same statement under another pin: the ladder that a product
// of matrices climbs on a GPU (Volkov and Demmel 2008; Hwu 2014), where each rung does more with
// every byte that it brings.  A is transposed, as Volkov and Demmel have it, so that neighbouring
// threads read neighbouring rows of it.

// A thread a cell, which reads a row of A and a column of B: two flops for 8 bytes.
kernel sgemm_cells(a: f32[l, n], b: f32[l, m], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[k, i] * b[k, j]);
}

// A thread a cell still, but blocks share tiles of A and B.
kernel sgemm_textbook(a: f32[l, n], b: f32[l, m], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[k, i] * b[k, j]);
}

// A thread has 16 cells of a row in registers: a cell of A is read once, straight into another
// register, and used 16 times.
kernel sgemm_strips(a: f32[l, n], b: f32[l, m], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[k, i] * b[k, j]);
}

// Nothing is pinned: a thread has a rectangle of cells in registers, and the coming tiles are on
// their way meanwhile; on a CPU packed panels of A and B pass by sums in vector registers.
kernel sgemm_tiles(a: f32[l, n], b: f32[l, m], out c: f32[n, m])
{
	matmul c[i, j] = sum[k](a[k, i] * b[k, j]);
}

schedule sgemm_cells for cuda { stage l1; }
schedule sgemm_cells for hip { stage l1; }
schedule sgemm_cells for cpu { stage l1; }
schedule sgemm_textbook for cuda { tile 16 x 16; }
schedule sgemm_textbook for hip { tile 16 x 16; }
schedule sgemm_strips for cuda { tile 128 x 16; }
schedule sgemm_strips for hip { tile 128 x 16; }
