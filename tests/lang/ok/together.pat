// repeat until, in one launch of all blocks (pass together): what it takes, and what it leaves to the host.

// A loop in the loop ends in its own pass, and its words are cleared in each pass of the outer one.
kernel ends_inner(steps: i64, inout a: i64[n], out rest: i64, out most: i64, out seen: i64) {
	require steps <= 7;
	let again: i64;
	let a2: i64[n];
	map seen = 0;
	repeat until most > 900 at most steps {
		gather a2[i] = a[i] + a[(i + 300) % n] % 3;
		map a[i] = a2[i];
		reduce rest = sum[i](a[i] % 8);
		repeat until again >= 2 at most 5 {
			map a[i] = a[i] + again;
			reduce again = max[i](a[i] % 4);
		}
		map seen = seen + 1;
		reduce most = max[i](a[i]);
	}
}

// Another order of pointers: three arrays go round.
kernel ends_round(steps: i64, least: i32, inout a: i32[n, m], inout b: i32[n, m], inout c: i32[n, m], out change: i32) {
	require steps <= 11;
	repeat until change <= least at most steps {
		stencil b[i, j] = (a[i-1, j] + a[i+1, j] + c[i, j-1] + a[i, j+1]) / 4 boundary wrap;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
		swap b, c;
	}
}

// Branches, and an array that is a temporary.
kernel ends_branches(steps: i64, least: f64, inout a: f64[n], out sum: f64, out passes: i32) {
	require steps <= 6;
	let b: f64[n];
	map passes = 0;
	repeat until sum <= least every 2 at most steps {
		map passes = passes + 1;
		stencil b[i] = (a[i-1] + a[i] + a[i+1]) / 4 boundary 0;
		if passes % 2 == 0 { map b[i] = b[i] * 0.5; } else { map b[i] = b[i] + 0.25; }
		reduce sum = sum[i](abs(b[i]));
		swap a, b;
	}
}

// The limit is a number of the call, and no pass may be asked for; cells of one byte and of two.
kernel ends_bytes(steps: i64, least: i32, inout a: u8[n, m], inout h: f16[n], out most: i32) {
	require steps <= 5;
	let b: u8[n, m];
	repeat until most <= least at most steps {
		stencil b[i, j] = u8((i32(a[i-1, j]) + i32(a[i, j+1])) / 2) boundary clamp;
		map h[i] = h[i] * 0.5;
		reduce most = max[i, j](i32(b[i, j]));
		swap a, b;
	}
}

// One launch a pass, in two ways, and grids of several axes: some blocks have no turn.
kernel ends_space(steps: i64, inout a: f32[n, m, l], inout b: f32[n, m, l], out s: f32) {
	require steps <= 9;
	repeat until s <= 0.3 at most steps {
		stencil b[i, j, k] = (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1] + a[i, j, k+1]) / 12
			boundary 0;
		reduce s = max[i, j, k](abs(b[i, j, k]));
		swap a, b;
	}
}

// A loop in passes that ask nothing: its words are cleared while blocks leave it.
kernel ends_rarely(steps: i64, inout a: i64[n], inout again: i64, inout most: i64) {
	require steps <= 6;
	repeat until most >= 4000 every 2 at most steps {
		repeat until again > -4 at most 5 {
			map a[i] = a[i] + 1;
			reduce again = sum[i](a[i] % 4);
		}
		reduce most = max[i](a[i]);
	}
}

// A branch that may not be taken, round a loop.
kernel ends_unless(steps: i64, least: i32, inout a: i32[n], inout b: i32[n], out top: i32) {
	require steps <= 7;
	reduce top = max[i](a[i]);
	if top > least {
		repeat until top <= least at most steps {
			map b[i] = a[i] / 2 - i32(i) % 3;
			reduce top = max[i](b[i]);
			map a[i] = b[i];
		}
	}
}
