// Swaps in branches of branches: taken or not, arrays are where the caller has them.
kernel nested(inout a: f32[n], inout b: f32[n], inout c: f32[n], inout w: u64) {
	if w <= 2 {
		if w <= 100 {
			map w = w;
		} else if w > 2 {
			swap a, b;
		}
		swap a, c;
	}
}
kernel before(inout a: f32[n], inout b: f32[n], inout w: u64) {
	let t: f32[n];
	map t[i] = a[i] + b[i];
	swap a, b;
	if w % 4 < 2 {
		swap t, b;
		if w % 2 == 0 { swap a, b; }
		map a[i] += 1;
	} else {
		repeat r < 3 { swap a, t; }
	}
	swap a, t;
}
kernel loops(steps: i32, inout a: i32[n], inout b: i32[n], inout w: i64) {
	repeat s < min(steps, 5) {
		if w % 3 == 0 {
			repeat until w > 4 at most 2 {
				map w = w + 1;
				swap a, b;
			}
			swap a, b;
		} else {
			if w > 6 { swap b, a; }
			map a[i] += i32(w);
		}
		map w = w + 1;
	}
}
test places {
	nested(a = [1, 2], b = [3, 4], c = [5, 6], w = 2) -> a = [5, 6], b = [3, 4], c = [1, 2];
	nested(a = [1, 2], b = [3, 4], c = [5, 6], w = 9) -> a = [1, 2], b = [3, 4], c = [5, 6];
	before(a = [1], b = [2], w = 0) -> a = [1], b = [2];
	before(a = [1], b = [2], w = 1) -> a = [1], b = [3];
	before(a = [1], b = [2], w = 2) -> a = [2], b = [1];
}
