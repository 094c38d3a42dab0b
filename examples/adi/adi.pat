// adi.pat - heat spreads through a plate whose edges are kept at 0, by alternating directions
// (Peaceman and Rachford 1955): each half of a step is implicit along one axis, and explicit along
// the other.  So it is stable however long a step is, and solves tridiagonal systems alone.

kernel adi(inout u: f32[n, m], r: f32, steps: i64)
{
	let half: f32[n, m];
	let right: f32[n, m];
	require r >= 0;

	repeat t < steps {
		along_rows: stencil right[i, j] = u[i, j]
			+ r * (u[i, j-1] - 2 * u[i, j] + u[i, j+1])
			boundary 0;
		columns: solve half[i, j] in half[i, j]
				- r * (half[i-1, j] - 2 * half[i, j] + half[i+1, j]) = right[i, j]
			boundary 0;
		along_columns: stencil right[i, j] = half[i, j]
				+ r * (half[i-1, j] - 2 * half[i, j] + half[i+1, j])
			boundary 0;
		rows: solve u[i, j] in u[i, j]
			- r * (u[i, j-1] - 2 * u[i, j] + u[i, j+1]) = right[i, j]
			boundary 0;
	}
}
