// if: blocks that run or not, decided by the host or on the device
kernel host(on: bool, steps: i32, x: f32[n], out y: f32[n], inout z: f32[n]) {
	let t: f32[n];
	if on {
		map y[i] = 2 * x[i];
	} else if steps > 2 {
		map y[i] = x[i];
	} else {
		map y[i] = 0;
	}
	repeat s < steps {
		if s % 2 == 0 {
			map t[i] = z[i] + 1;
			map z[i] = t[i] * 2;
		} else {
			map z[i] -= y[i];
		}
	}
}

// the condition is taken once, before the first block changes what it looks at
kernel device(x: i32[n], out y: i32[n], out s: i32) {
	reduce s = sum[i](x[i]);
	if s > 1 {
		map y[i] = x[i];
		reduce s = max[i](x[i]);
	} else {
		map y[i] = -x[i];
		if s < -5 {
			map y[i] -= s;
		}
	}
}

kernel swaps(x: i32[n], inout y: i32[n], inout z: i32[n], inout w: i32[n]) {
	let s: i32 = sum[i](x[i]);
	if s > 1 {
		swap y, z;
		map y[i] += 1;
	} else {
		swap z, w;
		swap y, z;
	}
	map z[i] += 1;
	if n > 2 {
		swap y, w;
	}
	map w[i] *= 2;
}

kernel swaps_in_loops(k: i32, x: i32[n], inout y: i32[n], inout z: i32[n], out passes: i32) {
	let s: i32 = sum[i](x[i]);
	map passes = 0;
	repeat until passes >= 3 at most k {
		map passes += 1;
		if s > passes {
			swap y, z;
			map y[i] += x[i];
		}
		map z[i] += 1;
	}
	repeat t < k {
		if t % 2 == 1 {
			swap y, z;
		}
		map y[i] += i32(t);
	}
}

// the condition keeps accesses inside, and folds from being empty
op first(a: f64, b: f64) -> f64 = min(a, b) associative, commutative;
kernel inside(k: i64, x: f64[n], out y: f64, out least: f64) {
	if n > 0 && 0 <= k && k < n {
		map y = x[k] + x[n - 1];
		reduce least = first[i](x[i]);
	} else {
		map y = 0;
		map least = 0;
	}
}

// temporaries of a block read as zero where nothing has written, in every pass
kernel blocks(x: i32[n], inout y: i32[n]) {
	let c: i64 = count[i](x[i] > 0);
	repeat t < 3 {
		if c >= t {
			let seen: i32[n];
			map seen[i] = x[i] where x[i] > t;
			map y[i] += seen[i] + 1;
		}
	}
}

kernel selected(x: i32[n], out best: i32, out c: i64) {
	let t: i32[n];
	reduce best = max[i](x[i]);
	compact t, c = x[i] where x[i] > 0;
	if c >= 1 {
		reduce best = min[i in 0..c](t[i]);
		sort t;
		scan t[i] = sum(t[i]);
	}
	if c > 3 {
		map best += n > 3 ? t[3] : 0;
	}
}

// a row that an earlier pass has written, read under a condition
kernel rows(steps: i64, x: f32[m], out h: f32[steps_, m], out y: f32[m]) {
	map y[j] = 0;
	repeat s < steps_ {
		map h[s, j] = x[j] + f32(s);
		if s > 0 && steps > 1 {
			map y[j] += h[s - 1, j];
		}
	}
}

// the else of an empty block belongs to no other if
kernel empties(on: bool, x: i32[n], inout y: i32[n]) {
	let s: i32 = sum[i](x[i]);
	if on {
		map y[i] += 1;
	}
	if n > 2 {
	} else {
		map y[i] += 10;
	}
	if s > 3 {
		map y[i] += 100;
	}
	if s > 5 {
	} else {
		map y[i] += 1000;
	}
	if on {
	}
}

test branches {
	empties(on = true, x = [1], y = [0]) -> y = [1011];
	empties(on = false, x = [9], y = [0]) -> y = [110];
	empties(on = true, x = [4, 0, 0], y = 0) -> y = 1101;
	empties(on = false, x = [4], y = [0]) -> y = [1110];
	host(on = true, steps = 0, x = [1, 2], z = [0, 0]) -> y = [2, 4], z = [0, 0];
	host(on = false, steps = 3, x = [1, 2], z = [0, 0]) -> y = [1, 2], z = [4, 2];
	device(x = [1, 2]) -> y = [1, 2], s = 2;
	device(x = [-1]) -> y = [1], s = -1;
	device(x = [-6]) -> y = [12], s = -6;
	swaps(x = [1, 2], y = [1, 1], z = [5, 5], w = [7, 7]) -> y = [6, 6], z = [2, 2], w = [14, 14];
	swaps(x = [0, 0, 0], y = [1, 1, 1], z = [5, 5, 5], w = [7, 7, 7]) -> y = [5, 5, 5], z = [2, 2, 2], w = [14, 14, 14];
	inside(k = 1, x = [1, 2]) -> y = 4, least = 1;
	inside(k = 0, n = 0) -> y = 0, least = 0;
	blocks(x = [1, 2, -3], y = [0, 0, 0]) -> y = [4, 7, 3];
	selected(x = [3, 2, -1]) -> best = 2, c = 2;
	selected(x = [-3]) -> best = -3, c = 0;
	rows(steps = 2, steps_ = 3, x = [1]) -> y = [3];
}

// inside a block, too, no two items have one place: what chance draws must keep it
kernel placed(k: i32, at: i32[n], x: i32[n], inout y: i32[m]) {
	repeat t < min(k, 3) {
		if t < 2 {
			scatter y[at[i]] = x[i] + i32(t) unique;
		}
	}
}
