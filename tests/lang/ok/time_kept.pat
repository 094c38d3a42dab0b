// Several passes of a loop in one visit of memory (pass time), where one statement keeps cells that another one computes:
// both of two swapped arrays change there, and a visit stores both.
kernel kept_then_all(steps: i32, inout a: i32[n, 4*m], out c: i32[n, 4*m]) {
	let b: i32[n, 4*m];
	map b[i, j] = 3 * a[i, j];
	repeat t < max(min(steps, 12), 0) {
		step: stencil b[i, j] = a[i-1, j] + 2 * a[i, j+1] boundary keep;
		map b[i, j] = b[i, j] + i32(t) + 1;
		swap a, b;
	}
	map c[i, j] = b[i, j];
}
kernel kept_then_some(inout a: i32[n, 4*m]) {
	let b: i32[n, 4*m];
	map b[i, j] = a[i, j];
	repeat t < 7 {
		step: stencil b[i, j] = a[i-1, j] + 2 * a[i, j+1] boundary keep;
		map b[i, j] = b[i, j] + 1 where (i + j) % 3 == 0;
		swap a, b;
	}
}
// the other array, before; two ranges
kernel all_then_kept(inout a: i32[n, 4*m]) {
	let b: i32[n, 4*m];
	map b[i, j] = 3 * a[i, j];
	repeat t < 7 {
		map a[i, j] = a[i, j] + 1;
		step: stencil b[i, j] = a[i, j-1] - 3 * a[i+1, j] for i in 0..n-1, j in 2..4*m-2;
		swap a, b;
	}
}
kernel kept_then_more(inout a: i32[n, 4*m]) {
	let b: i32[n, 4*m];
	map b[i, j] = 3 * a[i, j];
	repeat t < 8 {
		step: stencil b[i, j] = a[i, j-1] - 3 * a[i+1, j] for i in 0..n-1, j in 2..4*m-2;
		map b[i, j] = 5 * b[i, j] for i in 1..n, j in 1..4*m-1;
		swap a, b;
	}
}
kernel kept_line(inout a: i32[4*m]) {
	let b: i32[4*m];
	map b[j] = 3 * a[j];
	repeat t < 7 {
		step: stencil b[j] = a[j-1] + 2 * a[j+1] boundary keep;
		map b[j] = b[j] + 1;
		swap a, b;
	}
}
kernel kept_planes(inout a: i32[l, n, 4*m]) {
	let b: i32[l, n, 4*m];
	map b[i, j, k] = 3 * a[i, j, k];
	repeat t < 7 {
		step: stencil b[i, j, k] = a[i-1, j, k] + 2 * a[i, j+1, k] - a[i, j, k-1] boundary keep;
		map b[i, j, k] = b[i, j, k] + 1;
		swap a, b;
	}
}
// an array that no swap exchanges, and whose cells inside no later pass reads
kernel kept_alone(inout a: i32[n, 4*m], inout b: i32[n, 4*m]) {
	let b2: i32[n, 4*m];
	map b2[i, j] = b[i, j];
	repeat t < 8 {
		step: stencil a[i, j] = 3 * b[i, j] + b[i, j-1] + b[i, j+1] boundary (mirror, keep);
		map a[i, j] = a[i, j] * 5;
		stencil b2[i, j] = b[i+1, j-1] + a[i+1, j] + b[i, j] boundary (mirror, keep);
		swap b, b2;
	}
}
schedule kept_then_all for cpu { step: time 3; }
schedule kept_then_all for cuda { step: time 3; }
schedule kept_then_all for hip { step: time 3; }
schedule kept_then_some for cpu { step: time 3; }
schedule kept_then_some for cuda { step: time 3; }
schedule kept_then_some for hip { step: time 3; }
schedule all_then_kept for cpu { step: time 2; }
schedule all_then_kept for cuda { step: time 2; }
schedule all_then_kept for hip { step: time 2; }
schedule kept_then_more for cpu { step: time 3; }
schedule kept_then_more for cuda { step: time 3; }
schedule kept_then_more for hip { step: time 3; }
schedule kept_line for cpu { step: time 3; }
schedule kept_line for cuda { step: time 3; }
schedule kept_line for hip { step: time 3; }
schedule kept_planes for cpu { step: time 3; }
schedule kept_planes for cuda { step: time 3; }
schedule kept_planes for hip { step: time 2; }
schedule kept_alone for cpu { step: time 3; }
