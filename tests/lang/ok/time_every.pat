// repeat until C every K: the passes between those that ask share visits (pass time), and what ends the loop is not late.

// Rows are whole vectors.  Cells that keep their value; the limit is in the middle of a round, or K is more than it.
kernel asked_settles(steps: i64, k: i64, least: i32, inout a: i32[n, 4*m], out change: i32) {
	require k <= 14;
	let b: i32[n, 4*m];
	repeat until change <= least * 100 every k at most max(min(steps, 41), 23) {
		stencil b[i, j] = (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) / 4 boundary keep;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
}

// The caller sees both arrays, and a number that only the condition needs; the counter of a loop around it.
kernel asked_seen(steps: i64, inout a: i32[n, 4*m], inout b: i32[n, 4*m], out top: i64) {
	require steps <= 3;
	repeat t < steps {
		repeat until top < 1000 every 10 at most (15 + 9 * t) {
			stencil b[i, j] = (a[i-1, j] + a[i, j-1] + a[i+1, j+1]) / 3 + i32(t) boundary wrap;
			swap a, b;
			reduce top = max[i, j](i64(a[i, j]));
		}
	}
}

// Two fields, an array that lives within a pass, and an array for the condition alone.
kernel asked_coupled(steps: i64, inout u: f64[n, 4*m], inout v: f64[n, 4*m], out far: f64) {
	let u2: f64[n, 4*m];
	let v2: f64[n, 4*m];
	repeat until far < 0.01 every 8 at most max(min(steps, 30), 13) {
		let flow: f64[n, 4*m];
		let gap: f64[n, 4*m];
		map flow[i, j] = u[i, j] * 0.25 - v[i, j] * 0.125;
		stencil u2[i, j] = (u[i-1, j] + u[i+1, j]) * 0.375 + flow[i, j] boundary clamp;
		stencil v2[i, j] = (v[i, j-1] + v[i, j+1]) * 0.25 + flow[i, j] boundary clamp;
		map gap[i, j] = abs(u2[i, j] - u[i, j]) + flow[i, j];
		reduce far = max[i, j](gap[i, j]);
		swap u, u2;
		swap v, v2;
	}
}

// One axis, and what the condition needs comes before the cells that it reads: no visits.
kernel asked_earlier(steps: i64, inout a: i64[4*n], out change: i64) {
	let b: i64[4*n];
	map b[i] = a[i];
	repeat until change < 3 every 12 at most max(min(steps, 35), 26) {
		reduce change = max[i](abs(b[i] - a[i]));
		stencil b[i] = (a[i-1] + a[i+1]) / 2 boundary keep;
		swap a, b;
	}
}

// One axis; the condition reads cells of its own pass.
kernel asked_later(steps: i64, inout a: i64[4*n], out change: i64) {
	let b: i64[4*n];
	repeat until change < 3 every 12 at most max(min(steps, 35), 26) {
		stencil b[i] = (a[i-1] + a[i+1]) / 2 boundary keep;
		swap a, b;
		reduce change = max[i](abs(b[i] - a[i]));
	}
}

// In place: two visits follow each other, and leave names as they were.
kernel asked_red(steps: i64, inout a: i32[n, 4*m], out change: i32) {
	require n >= 2 && m >= 1;
	repeat until change < 4 every 20 at most max(min(steps, 47), 23) {
		let b: i32[n, 4*m];
		map b[i, j] = a[i, j];
		stencil a[i, j] = (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) / 4 for i in 1..n-1, j in 1..4*m-1 where (i + j) % 2 == 0;
		stencil a[i, j] = (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) / 4 for i in 1..n-1, j in 1..4*m-1 where (i + j) % 2 == 1;
		reduce change = max[i, j](abs(a[i, j] - b[i, j]));
	}
}
kernel asked_back(steps: i64, k: i64, inout a: i32[n, 4*m], out change: i32) {
	require k <= 14;
	let b: i32[n, 4*m];
	repeat until change < 100 every k at most max(min(steps, 41), 23) {
		stencil b[i, j] = (a[i-1, j] + a[i, j+1]) / 3 boundary wrap;
		stencil a[i, j] = (b[i+1, j] + 2 * b[i, j-1]) / 3 boundary wrap;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
	}
}
kernel asked_where(steps: i64, inout a: i64[n, 4*m], inout c: i64[n, 4*m], out change: i64) {
	repeat until change < 100 every 16 at most max(min(steps, 70), 33) {
		stencil c[i, j] = (a[i-1, j] + a[i, j+1]) / 3 where a[i, j] > 3 boundary clamp;
		reduce change = max[i, j](abs(c[i, j] - a[i, j]));
		swap a, c;
	}
}
schedule asked_back for cuda { time 2; }
schedule asked_back for hip { time 2; }
schedule asked_where for cuda { time 3; }
schedule asked_where for hip { time 2; }
