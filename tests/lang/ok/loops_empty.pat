// Loops of a GPU whose statements choose among ways: what each way needs is computed before the loop,
// also of arrays without cells, of which a way that is not taken would divide by the number.
kernel loops_kth(x: f32[n, 100], k: i64, steps: i32, inout v: f32[n], inout w: f32[n], out c: i64) {
	repeat until c == 0 at most steps {
		reduce v[i] = kth[j](x[i, j], k);
		reduce c = count[i](v[i] != w[i]);
		map w[i] = v[i];
	}
}
kernel loops_bins(x: i32[n], w: f32[n], steps: i32, inout h: f32[k], out c: i64) {
	let o: f32[k];
	repeat until c == 0 at most steps {
		map o[j] = h[j];
		histogram h[x[i]] += w[i];
		reduce c = count[j](o[j] < 1);
	}
}
// The limit of a loop stays small: tests change no scalar that the conditions of a call do not read.
kernel loops_near(x: f32[n], y: f32[n], reach: f32, steps: i32, inout label: i64[n], out c: i64) {
	let next: i64[n];
	repeat until c == 0 at most steps {
		pairs next[i] = min[j](label[j]) within reach of (x, y);
		map next[i] = min(next[i], label[i]);
		reduce c = count[i](next[i] != label[i]);
		swap label, next;
	}
}
