// A list for a field that is an array has its elements, axis by axis.
struct Cell { f: f32[2, 2], on: bool }
kernel a(out c: Cell[n]) {
	map c[i] = Cell([1, 2, 3], true);
	map c[i] = Cell([[1, 2], 3], true);
	map c[i] = Cell([[1, 2], [3, 4]]);
	map c[i] = Cell([[1, 2], [3, 4.0f64]], true);
	map c[i] = Cell(1, true);
	map c[i] = Cell([[1, 2], [3, 4]], [true]);
}
