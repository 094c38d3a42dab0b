// Terms of one plane that several planes of a stencil have: a march hands their values on.
fn edge(l: f32, c: f32, r: f32) -> f32 = 0.25 * l + 0.5 * c + 0.25 * r;
fn spread(l: f64, r: f64) -> f64 = sqrt(l * l + r * r);

// A form within a form: `edge` occurs in three planes, its products in two.
kernel carried_weights(a: f32[l, n, m], out b: f32[l, n, m])
{
	stencil b[i, j, k] = 0.25 * edge(a[i-1, j, k-1], a[i-1, j, k], a[i-1, j, k+1])
		+ 0.5 * edge(a[i, j, k-1], a[i, j, k], a[i, j, k+1])
		+ 0.25 * edge(a[i+1, j, k-1], a[i+1, j, k], a[i+1, j, k+1]) boundary clamp;
}

// A whole plane; every kind of edge.
kernel carried_cube(a: f32[l, n, m], out b: f32[l, n, m])
{
	stencil b[i, j, k] = sum[p in -1..2, q in -1..2, r in -1..2](a[i+p, j+q, k+r])
		boundary (mirror, wrap, reflect);
}

kernel carried_outside(a: f64[l, n, m], out b: f64[l, n, m])
{
	stencil b[i, j, k] = max[p in -1..2, q in -1..2, r in -1..2](a[i+p, j+q, k+r])
		boundary (clamp, 1.5, 0);
}

// Planes 0 and 2 alone, and the cell itself beside them.
kernel carried_ahead(a: f64[l, n, m], out b: f64[l, n, m])
{
	stencil b[i, j, k] = a[i, j, k] + spread(a[i, j-1, k], a[i, j+1, k])
		- spread(a[i+2, j-1, k], a[i+2, j+1, k]) boundary wrap;
}

// Rows of a plane; integers.
kernel carried_rows(a: i32[n, m], w: i32, out b: i32[n, m])
{
	stencil b[i, j] = sum[p in -2..3, q in -2..3](a[i+p, j+q]) * w boundary clamp;
}

// Two results: values of two terms would take more registers than the cells.
kernel carried_not(a: i32[n, m], out b: i32[n, m], out c: i32[n, m])
{
	stencil b[i, j] = sum[p in -2..3, q in -2..3](a[i+p, j+q]),
		c[i, j] = (a[i-2, j-1] + a[i-2, j+1]) * (a[i+2, j-1] + a[i+2, j+1]) - a[i, j]
		boundary clamp;
}

// A term after a condition is not carried, that of a condition is.
kernel carried_if(a: f32[l, n, m], out b: f32[l, n, m])
{
	stencil b[i, j, k] = a[i-1, j, k-1] + a[i-1, j, k+1] < a[i+1, j, k-1] + a[i+1, j, k+1]
		? a[i-1, j-1, k] * a[i-1, j+1, k] : a[i+1, j-1, k] * a[i+1, j+1, k]
		boundary clamp;
}

// Two arrays; ranges and a guard of the statement; a fold after it.
kernel carried_pair(a: f32[l, n, m], b: f32[l, n, m], out c: f32[l, n, m], out most: f32)
{
	stencil c[i, j, k] = (a[i-1, j, k-1] - b[i-1, j, k+1]) + (a[i, j, k-1] - b[i, j, k+1])
		+ (a[i+1, j, k-1] - b[i+1, j, k+1]) for i in 1..l-1, j in 1..n, k in 1..m-1;
	reduce most = max[i, j, k](c[i, j, k]);
}

// In a loop; of another type than the cells.
kernel carried_blur(steps: i32, inout a: u16[l, n, m])
{
	let b: u16[l, n, m];
	repeat t < steps {
		stencil b[i, j, k] = u16(sum[p in -1..2, q in -1..2, r in -1..2](
			u32(a[i+p, j+q, k+r])) / 27) boundary clamp;
		swap a, b;
	}
}

// Terms of planes far apart are not carried: values of one would be in more windows than a chain has.
kernel carried_far(a: f32[l, n, m], out b: f32[l, n, m])
{
	stencil b[i, j, k] = (a[i-8, j, k-1] + a[i-8, j, k+1]) * (a[i-7, j, k-1] + a[i-7, j, k+1])
		+ (a[i+7, j, k-1] - a[i+7, j, k+1]) * (a[i+8, j, k-1] - a[i+8, j, k+1]) boundary clamp;
}
