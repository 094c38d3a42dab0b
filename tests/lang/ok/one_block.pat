// one_block.pat - loops of small steps, which one block may run in one launch: recursions, factorisations, dynamic
// programs; loops in loops, branches, swaps, temporaries that read as zero, accesses that data decide.

// Levinson and Durbin.
kernel durbin(r: f64[n], out y: f64[n]) {
	require n >= 1, n <= 200;
	let alpha: f64;
	let beta: f64;
	let z: f64[n];
	map y[0] = -r[0];
	map alpha = -r[0];
	map beta = 1;
	repeat t < n - 1 {
		map beta = (1 - alpha * alpha) * beta;
		reduce alpha = -(r[t+1] + sum[i in 0..t+1](r[t-i] * y[i])) / beta;
		gather z[i] = y[i] + alpha * y[t-i] for i in 0..t+1;
		map y[i] = z[i] for i in 0..t+1;
		map y[t+1] = alpha;
	}
}

// Without divisions, which would need rows that dominate.
kernel right_looking(inout a: i32[n, n]) {
	require n <= 60;
	repeat k < n {
		map a[i, k] = a[i, k] % 7 for i in k+1..n;
		map a[i, j] -= a[i, k] * a[k, j] for i in k+1..n, j in k+1..n;
	}
}

// Items with weights and values: the best value for each capacity.
kernel knapsack(weight: i32[items], value: i32[items], out best: i32[capacity], out chosen: i64) {
	require items <= 20;
	let next: i32[capacity];
	map best[w] = 0;
	repeat k < items {
		gather next[w] = w >= weight[k] && weight[k] >= 0 ? max(best[w], best[w - weight[k]] + value[k]) : best[w];
		swap best, next;
	}
	reduce chosen = argmax[w](best[w]);
}

// Rows by warps, then cells of the state.
kernel recurrent(x: i32[steps, m], u: i32[n, m], w: i32[n, n], out h: i32[n], out trace: i32[steps]) {
	require steps <= 9, n <= 200;
	let g: i32[n];
	map h[j] = 1;
	repeat s < steps {
		reduce g[j] = sum[k](w[j, k] * h[k]);
		reduce g[j] = g[j] + max[k in 0..m](u[j, k] * x[s, k]) where m > 0;
		map h[j] = g[j] % 1000 + 1;
		reduce trace[s] = sum[j](h[j]);
	}
}

// Columns by threads, rows of a triangle, an operator that does not commute.
struct Affine { a, b: i64 }
op after(f: Affine, g: Affine) -> Affine = Affine(g.a * f.a, g.a * f.b + g.b) identity Affine(1, 0), associative;
kernel folds(x: i32[n, m], passes: i64, out column: i32[m], out part: i64[n], out all: Affine, out each: Affine[n],
	     out top: i32, out row: i64, out place: i64) {
	require passes <= 3;
	let y: i32[n, m];
	map y[i, j] = x[i, j];
	repeat p < passes {
		reduce column[j] = sum[i](y[i, j]);
		reduce part[i] = sum[k in 0..i+1](i64(y[k, 0])) where m > 0;
		reduce all = after[i, j](Affine(y[i, j], p));
		reduce each[i] = after[j](Affine(y[i, j], 1));
		reduce top, row, place = argmax[i, j](y[i, j]);
		map y[i, j] = y[i, j] * 3 + i32(p);
	}
}

kernel ordered(x: f32[n], passes: i32, out s: f32, out y: f32[n]) {
	require passes <= 5;
	map y[i] = x[i];
	repeat p < passes {
		reduce s = sum[i](y[i]) strict;
		map y[i] = y[i] * 0.5 + s strict;
	}
}

// Ends in the pass in which the condition holds: where the arrays lie then depends on the number of passes.
kernel relax(steps: i64, least: i32, inout a: i32[n, m], out change: i32, out passes: i64) {
	require steps <= 9;
	let b: i32[n, m];
	let count: i64;
	map count = 0;
	repeat until change <= least at most steps {
		stencil b[i, j] = (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) / 4 boundary keep;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		map count = count + 1;
		swap a, b;
	}
	map passes = count;
}

kernel edges(steps: i64, inout a: i32[n], inout b: i32[n], inout c: i32[n]) {
	require steps <= 9;
	repeat s < steps {
		stencil b[i] = a[i-1] + 2 * a[i+1] boundary wrap;
		stencil c[i] = b[i-2] - a[i+3] boundary clamp;
		swap a, b;
		swap b, c;
	}
}

// Loops in loops, of which the outer one's branches and swaps are the block's, too.
kernel nested(outer: i64, inner: i64, x: i32[n], inout y: i32[n], out odd: i32) {
	require outer <= 5, inner <= 4;
	let z: i32[n];
	let limit: i32;
	map odd = 0;
	repeat o < outer {
		reduce limit = max[i](y[i]);
		repeat until limit > 100 at most inner {
			map z[i] = y[i] + x[i] % 8;
			reduce limit = sum[i](z[i] - y[i]);
			swap y, z;
		}
		if limit % 2 != 0 {
			map odd = odd + 1;
			swap y, z;
			map y[i] = x[i];
		} else if o % 2 == 0 {
			map y[i] = y[i] / 2;
		} else {
			repeat k < o {
				map y[i] = y[i] - i32(k) for i in 0..n - k where i % 2 == 0;
			}
		}
	}
}

// A temporary of the pass reads as zero where nothing has written it.
kernel afresh(passes: i64, n2: i64, inout y: i32[n]) {
	require n2 >= 0, n2 <= n, passes <= 5;
	repeat p < passes {
		let z: i32[n];
		let s: i32;
		map z[i] = y[i] + 1 for i in 0..n2;
		if p % 2 == 0 {
			reduce s = sum[i](z[i]);
		}
		map y[i] = z[i] + s;
	}
}

// What data decide is tested: outside it is zero or left out, and recorded.
kernel tested(passes: i64, at: i64[n], inout y: i32[n]) {
	require passes <= 5;
	let z: i32[n];
	repeat p < passes {
		gather z[i] = y[at[i]];
		map y[i] = z[i] + 1;
	}
}
kernel dropped(passes: i64, at: i64[n], inout y: i32[n], out s: i32) {
	require passes <= 5;
	let z: i32[n];
	repeat p < passes {
		gather z[i] = y[at[i]] drop;
		reduce s = sum[i](y[at[i]]) drop;
		map y[i] = z[i] + s;
	}
}

// Three axes, and cells that a mask leaves out.
kernel space(passes: i64, inout a: i32[l, n, m]) {
	require passes <= 5;
	let b: i32[l, n, m];
	repeat p < passes {
		stencil b[i, j, k] = a[i-1, j, k] + a[i, j, k+1] - a[i, j-1, k] boundary constant 2;
		map a[i, j, k] = b[i, j, k] where (i + j + k) % 3 != 0;
	}
}

// Rows and columns of the caller's, swapped with a temporary.
kernel pitched(passes: i64, inout a: i32[n, m] layout col(ld)) {
	require passes <= 5;
	let b: i32[n, m];
	repeat p < passes {
		map b[i, j] = a[i, j] * 2 + i32(p);
		swap a, b;
	}
}
test one_block {
	knapsack(weight = [3, 4, 2], value = [5, 6, 3], capacity = 8) -> best = [0, 0, 3, 5, 6, 8, 9, 11], chosen = 7;
	relax(steps = 3, least = 0, a = [[0, 0, 0], [0, 8, 0], [0, 0, 0]]) -> passes = 2, change = 0;
	relax(steps = 0, least = 0, a = [[0, 0], [1, 2]]) -> passes = 0;
	tested(passes = 2, at = [0, 1, 7], y = [1, 2, 3]) -> status index;
	tested(passes = 2, at = [1, 2, 0], y = [1, 2, 3]) -> y = [5, 3, 4];
	nested(outer = 0, inner = 4, x = [1, 2], y = [3, 4]) -> y = [3, 4];
	afresh(passes = 2, n2 = 1, y = [1, 2]) -> y = [5, 0];
	edges(steps = 1, a = [1, 2, 3], b = 0, c = 0) -> a = [7, 7, 4];
}
