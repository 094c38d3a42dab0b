// every.pat - `repeat until C every K`: what only C needs is computed in passes that ask.
kernel relax(steps: i64, eps: f32, inout a: f32[n, m], out change: f32) {
	let b: f32[n, m];
	repeat until change < eps every 5 at most steps {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary keep;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
}

// Three arrays turn; statements before and behind the one that each pass computes; K is the caller's.
kernel turn(steps: i32, k: i32, inout a: i32[n], inout b: i32[n], inout c: i32[n], out sum: i64,
            out passes: i32, out other: i64) {
	let d: i64[n];
	let top: i64;
	map passes = 0;
	repeat until sum > 40 || top > 30 every k at most steps {
		map d[i] = i64(a[i]) + b[i];
		map a[i] = a[i] + 1;
		map passes = passes + 1;
		reduce sum = sum[i](d[i] + c[i]);
		reduce top = max[i](d[i]);
		reduce other = sum[i](i64(a[i]));
		swap a, b;
		swap b, c;
	}
}

// Nothing is put off: it is counted, read by a statement that stays, read behind the loop, written for the caller too.
kernel kept(steps: i32, inout y: i32[n], out s: i64, out after: i64, out place: i64) {
	let tries: i64;
	let half: i64;
	let best: i32;
	map tries = 0;
	repeat until tries >= 7 || half > 50 || best > 90 || s > 200 every 3 at most steps {
		map tries = tries + 1;
		reduce s = sum[i](i64(y[i]));
		map half = s / 2;
		map y[i] = y[i] + 1 + i32(half % 3);
		reduce best, place = argmax[i](y[i]);
	}
	map after = s + 1;
}

// In a loop, in a branch, with a fold whose result a branch of the block needs.
kernel nested(rounds: i32, inout y: i32[n], inout w: i64, out s: i64) {
	let big: bool;
	repeat r < min(rounds, 3) {
		if w < 100 {
			repeat until s > 100 || big every (r + 2) at most 9 {
				let z: i32[n];
				map z[i] = y[i] * 2;
				reduce big = any[i](z[i] > 1000);
				reduce s = sum[i](i64(y[i]));
				if w > 3 { map y[i] = y[i] + 1; } else { map y[i] = y[i] + 2; }
			}
		}
		map w = w + 1;
	}
}

test asked {
	relax(steps = 7, eps = 0, a = [[0, 0, 0], [0, 8, 0], [0, 0, 0]]) -> change = 0, a = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
	turn(steps = 5, k = 2, a = [1], b = [2], c = [3]) -> passes = 5, sum = 9, other = 4;
	turn(steps = 50, k = 7, a = [1], b = [2], c = [3]) -> passes = 42, sum = 47, other = 17;
	turn(steps = 3, k = -4, a = [1], b = [2], c = [3]) -> passes = 3, sum = 8, other = 4;
	kept(steps = 100, y = [1, 2]) -> s = 27, after = 28;
}
