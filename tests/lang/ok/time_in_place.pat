// Passes of a loop that reads the arrays that it writes share a visit of memory (pass time): what they become goes to spare arrays.

// Two half steps, there and back; cells that keep their value are those of both arrays.
kernel back_clamps(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	repeat t < 9 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) boundary clamp;
		stencil a[i, j] = 0.2 * (b[i-1, j] + b[i, j-2] + b[i, j+1] + b[i+1, j] + f32(t)) boundary clamp;
	}
}
kernel back_keeps(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	map b[i, j] = 0.5 * a[i, j] - 1;
	repeat t < 10 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) boundary keep;
		stencil a[i, j] = 0.25 * (b[i-1, j] + b[i, j-1] + b[i, j+1] + b[i+1, j]) boundary keep;
	}
}
kernel back_inner(inout a: f32[83, 388]) {
	let b: f32[83, 388];
	map b[i, j] = 0.5 * a[i, j] - 1;
	repeat t < 11 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) boundary keep;
		stencil a[i, j] = 0.25 * (b[i-1, j] + b[i, j-1] + b[i, j+1] + b[i+1, j]) boundary keep;
	}
}
// The caller sees both; passes are 0 to 20, one visit, one pass more or less.
kernel back_steps(steps: i32, inout a: i32[n, 4*m], inout b: i32[n, 4*m]) {
	repeat t < max(min(steps, 20), 0) {
		stencil b[i, j] = a[i-1, j] + 3 * a[i, j+1] boundary wrap;
		stencil a[i, j] = b[i+1, j-1] - b[i, j] + i32(t) boundary wrap;
	}
}
kernel back_three(inout a: i32[n, 4*m]) {
	let b: i32[n, 4*m];
	repeat t < 3 {
		stencil b[i, j] = a[i-1, j] + 3 * a[i, j+1] boundary clamp;
		stencil a[i, j] = b[i+1, j-1] - b[i, j] boundary clamp;
	}
}
kernel back_two(inout a: i32[n, 4*m]) {
	let b: i32[n, 4*m];
	repeat t < 2 {
		stencil b[i, j] = a[i-1, j] + 3 * a[i, j+1] boundary clamp;
		stencil a[i, j] = b[i+1, j-1] - b[i, j] boundary clamp;
	}
}
schedule back_three for cuda { time 3; }
schedule back_three for hip { time 3; }
schedule back_two for cuda { time 3; }
schedule back_two for hip { time 3; }
schedule back_steps for cuda { time 3; }
schedule back_steps for hip { time 2; }
// Three fields of a staggered grid, in place; ranges.
kernel staggered(inout ex: f32[n, 4*m], inout ey: f32[n, 4*m], inout hz: f32[n, 4*m]) {
	repeat t < 9 {
		stencil ey[i, j] -= 0.5 * (hz[i, j] - hz[i-1, j]) boundary keep;
		stencil ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j-1]) boundary keep;
		stencil hz[i, j] -= 0.7 * (ex[i, j+1] - ex[i, j] + ey[i+1, j] - ey[i, j]) boundary keep;
	}
}
kernel staggered_inner(inout ex: f32[77, 388], inout ey: f32[77, 388], inout hz: f32[77, 388]) {
	repeat t < 9 {
		stencil ey[i, j] -= 0.5 * (hz[i, j] - hz[i-1, j]) for i in 1..77;
		stencil ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j-1]) for j in 1..388;
		stencil hz[i, j] -= 0.7 * (ex[i, j+1] - ex[i, j] + ey[i+1, j] - ey[i, j]) for i in 0..76, j in 0..387;
	}
}
// Red cells of black ones, then black cells of red ones, in place.
kernel red_black(inout a: f32[n, 4*m]) {
	require n >= 2;
	repeat t < 9 {
		stencil a[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) for i in 1..n-1, j in 1..4*m-1 where (i + j) % 2 == 0;
		stencil a[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) for i in 1..n-1, j in 1..4*m-1 where (i + j) % 2 == 1;
	}
}
kernel red_black_keeps(inout a: f32[n, 4*m], source: f32[n, 4*m]) {
	require n >= 3 && m >= 1;
	repeat t < 7 {
		stencil a[i, j] = 0.2 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j] + source[i, j]) for i in 1..n-1, j in 2..4*m-1 where (i + j) % 2 == 0;
		stencil a[i, j] = 0.2 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j] - source[i, j]) for i in 2..n-1, j in 1..4*m-1 where (i + j) % 2 == 1;
	}
}
kernel red_black_inner(inout a: f32[71, 516]) {
	repeat t < 8 {
		stencil a[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) for i in 1..70, j in 1..515 where (i + j) % 2 == 0;
		stencil a[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) for i in 1..70, j in 1..515 where (i + j) % 2 == 1;
	}
}
// Red and black cells of their own, packed.
kernel red_and_black(inout red: f32[n, 4*m], inout black: f32[n, 4*m]) {
	repeat t < 9 {
		stencil red[i, j] = 0.25 * (black[i-1, j] + black[i, j-1] + black[i, j] + black[i+1, j]) boundary clamp;
		stencil black[i, j] = 0.25 * (red[i-1, j] + red[i, j+1] + red[i, j] + red[i+1, j]) boundary clamp;
	}
}
// Both arrays that are swapped are read: by `where`, or as the time before.
kernel swapped_where(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	map b[i, j] = 0.5 * a[i, j];
	repeat t < 9 {
		stencil b[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) where (i + j + t) % 2 == 0 boundary clamp;
		swap a, b;
	}
}
kernel swapped_keeps(inout a: f32[n, 4*m], inout b: f32[n, 4*m]) {
	repeat t < 8 {
		stencil b[i, j] += 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j]) - 2 * b[i, j] boundary keep;
		swap a, b;
	}
}
kernel leapfrog(inout now: f32[n, 4*m], inout past: f32[n, 4*m]) {
	let next: f32[n, 4*m];
	repeat t < 8 {
		stencil next[i, j] = now[i, j] - past[i, j] + 0.25 * (now[i-1, j] + now[i+1, j] + now[i, j-1] + now[i, j+1]) boundary 0;
		swap past, now;
		swap now, next;
	}
}
// Several statements keep cells of one array.
kernel kept_twice(inout a: f32[n, 4*m]) {
	let b: f32[n, 4*m];
	map b[i, j] = 0.25 * a[i, j];
	repeat t < 15 {
		stencil b[i, j] = 0.5 * a[i-1, j] + 1 boundary keep;
		stencil b[i, j] = 0.25 * a[i+1, j] - 1 boundary keep;
		swap a, b;
	}
}
kernel kept_sides(inout a: f32[61, 388], inout b: f32[61, 388]) {
	repeat t < 8 {
		stencil b[i, j] = 0.5 * a[i-1, j] + 1 for i in 2..60;
		swap a, b;
		stencil b[i, j] = 0.25 * a[i, j+1] - 1 for i in 5..61, j in 1..380;
		swap b, a;
	}
}
// Cells of their own alone take no visits.  Two loops have one spare array.
kernel grows(inout a: f32[4*n], inout b: f64[n, 4*m]) {
	repeat t < 7 {
		map a[i] = 0.5 * a[i] + f32(t);
	}
	repeat s < 3 {
		repeat t < 5 {
			stencil b[i, j] += 0.25 where t > 2 && i > j;
			let c: f64[n, 4*m];
			stencil c[i, j] = 0.5 * b[i, j+1] boundary clamp;
			map b[i, j] = c[i, j];
		}
		map b[i, j] -= 1;
	}
	repeat t < 4 {
		let c: f64[n, 4*m];
		stencil c[i, j] = 0.5 * b[i-1, j] boundary clamp;
		map b[i, j] = c[i, j] * b[i, j] - 0.5;
	}
}
// An array that is exchanged and read by nothing in the loop: the caller sees what the last passes left in it.
kernel exchanged(inout u: f32[n, 4*m], inout a: f32[n, 4*m]) {
	let v: f32[n, 4*m];
	let b: f32[n, 4*m];
	map b[i, j] = 0;
	repeat t < 8 {
		stencil v[i, j] = 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1]) boundary clamp;
		swap u, v;
		stencil b[i, j] = u[i, j] + f32(t);
		swap a, b;
	}
}
schedule exchanged for cuda { time 4; }
schedule exchanged for hip { time 4; }
schedule exchanged for cpu { time 4; }
// One axis.
kernel rod_back(inout a: f32[4*n]) {
	let b: f32[4*n];
	repeat t < 9 {
		stencil b[i] = a[i] + 0.25 * (a[i-1] - 2 * a[i] + a[i+1]) boundary reflect;
		stencil a[i] = b[i] + 0.25 * (b[i-1] - 2 * b[i] + b[i+1]) boundary reflect;
	}
}
kernel rod_red(inout a: i64[4*n]) {
	repeat t < 9 {
		stencil a[i] += a[i-1] - a[i+1] for i in 1..4*n-1 where i % 2 == 0;
		stencil a[i] += a[i-1] + a[i+1] for i in 1..4*n-1 where i % 2 == 1;
	}
}
// Three axes.
kernel cube_back(inout a: f32[l, n, 4*m]) {
	let b: f32[l, n, 4*m];
	repeat t < 7 {
		there: stencil b[i, j, k] = 0.15 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1] + a[i, j, k+1]) boundary clamp;
		back: stencil a[i, j, k] = 0.15 * (b[i-1, j, k] + b[i+1, j, k] + b[i, j-1, k] + b[i, j+1, k] + b[i, j, k-1] + b[i, j, k+1]) boundary clamp;
	}
}
kernel cube_red(inout a: f32[l, n, 4*m]) {
	repeat t < 5 {
		red: stencil a[i, j, k] += 0.15 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1] + a[i, j, k+1]) for i in 1..l-1, j in 1..n-1, k in 1..4*m-1 where (i + j + k) % 2 == 0;
		black: stencil a[i, j, k] += 0.15 * (a[i-1, j, k] + a[i+1, j, k] + a[i, j-1, k] + a[i, j+1, k] + a[i, j, k-1] + a[i, j, k+1]) for i in 1..l-1, j in 1..n-1, k in 1..4*m-1 where (i + j + k) % 2 == 1;
	}
}
schedule cube_back for cuda { there: time 2; }
// Around it a loop that ends as data say, and a branch that is taken as data say.
kernel back_until(inout a: i32[n, 4*m], out top: i32) {
	let b: i32[n, 4*m];
	repeat until top < 1000 at most 4 {
		repeat t < 7 {
			stencil b[i, j] = (a[i-1, j] + a[i, j+1]) / 3 boundary wrap;
			stencil a[i, j] = (b[i+1, j] + 3 * b[i, j-1]) / 4 boundary wrap;
		}
		reduce top = max[i, j](abs(a[i, j]));
	}
}
kernel back_if(inout a: i32[n, 4*m], out top: i32) {
	let b: i32[n, 4*m];
	reduce top = max[i, j](a[i, j]);
	if top > 100 {
		repeat t < 3 {
			stencil b[i, j] = a[i-1, j] + a[i, j+1] boundary clamp;
			stencil a[i, j] = b[i+1, j] - b[i, j] boundary clamp;
		}
	} else {
		repeat t < 4 {
			stencil b[i, j] = a[i-1, j] - 2 * a[i, j] boundary clamp;
			stencil a[i, j] = b[i+1, j] + b[i, j-1] boundary clamp;
		}
	}
	map b[i, j] = a[i, j];
	repeat t < 7 {
		map a[i, j] -= i32(t);
		stencil b[i, j] += a[i, j-1] boundary 0;
		stencil a[i, j] += b[i+1, j] boundary 0;
	}
}
schedule back_until for cuda { time 3; }
schedule back_until for hip { time 3; }
schedule back_if for cuda { time 3; }
schedule back_if for hip { time 3; }
