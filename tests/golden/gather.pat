// Cells from anywhere: what data decide is tested, and a vector of cells is stored whole where all are inside.
kernel embed(token: i32[m], table: f32[n, l], x: f32[n], out y: f32[m], out rows: f32[m, l]) {
	gather y[i] = 2 * x[token[i]];
	gather rows[i, j] = table[token[i], j] drop;
}
