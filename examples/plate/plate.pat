// plate.pat - the temperatures that a plate settles at, some of whose cells are held: each of the
// others is the mean of its four neighbours.  Two ways to them, a sweep of all cells after the
// other until no cell is far from its mean.

const FREE: u8 = 1;       // anything else keeps its temperature

// How far a cell is from the mean of its neighbours.
fn off(north: f64, south: f64, west: f64, east: f64, here: f64) -> f64 =
	(north + south + west + east) / 4 - here;

// Jacobi: every cell from the sweep before.
kernel jacobi(cell: u8[m, n], eps: f64, inout a: f64[m, n], out residual: f64[most],
              out sweeps: i64)
{
	let next: f64[m, n];
	let rest: f64;

	map next[i, j] = a[i, j];
	map sweeps = 0;
	repeat until rest < eps at most most {
		sweep: stencil next[i, j] = a[i, j]
			+ off(a[i-1, j], a[i+1, j], a[i, j-1], a[i, j+1], a[i, j])
			for i in 1..m-1, j in 1..n-1 where cell[i, j] == FREE;
		swap a, next;
		check: reduce rest = max[i in 1..m-1, j in 1..n-1 where cell[i, j] == FREE](
				abs(off(a[i-1, j], a[i+1, j], a[i, j-1], a[i, j+1], a[i, j])));
		note: map residual[k] = rest for k in sweeps..sweeps+1;
		map sweeps += 1;
	}
}

// Successive over-relaxation: from what this sweep has made of the cells above and to the left, and
// too far by omega. With omega 1 that is Gauss and Seidel's, with 0.8 it is the mean of the cell
// and its four neighbours.
kernel sor(cell: u8[m, n], omega: f64, eps: f64, inout a: f64[m, n], out residual: f64[most],
           out sweeps: i64)
{
	let rest: f64;

	map sweeps = 0;
	repeat until rest < eps at most most {
		sweep: wavefront a[i, j] = a[i, j]
			+ omega * off(a[i-1, j], a[i+1, j], a[i, j-1], a[i, j+1], a[i, j])
			for i in 1..m-1, j in 1..n-1 where cell[i, j] == FREE;
		check: reduce rest = max[i in 1..m-1, j in 1..n-1 where cell[i, j] == FREE](
				abs(off(a[i-1, j], a[i+1, j], a[i, j-1], a[i, j+1], a[i, j])));
		note: map residual[k] = rest for k in sweeps..sweeps+1;
		map sweeps += 1;
	}
}
