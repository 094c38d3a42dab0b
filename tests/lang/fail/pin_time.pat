// patc --target=cuda
// A pin of several passes that one kernel cannot compute.
kernel smooth(k: i64, out top: f32, out low: f32, inout a: f32[n, m], inout c: f32[n, m, l]) {
	let b: f32[n, m];
	let d: f32[n, m, l];
	repeat t < k {
		even: stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary keep;
		swap a, b;
	}
	repeat t < k {
		many: stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary clamp;
		swap a, b;
	}
	repeat t < k {
		space: stencil d[i, j, s] = 0.5 * (c[i-1, j-1, s] + c[0, j+1, s]) boundary clamp;
		swap c, d;
	}
	once: map a[i, j] = 2 * a[i, j];
	repeat until top < 1 at most k {
		ends: map a[i, j] = a[i, j] / 2;
		reduce top = max[i, j](a[i, j]);
	}
	repeat until low < 1 every 9 at most k {
		asked: stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary clamp;
		reduce low = max[i, j](b[i, j]);
		swap a, b;
	}
}
schedule smooth for cuda { even: time 4; many: time 40; space: time 2; once: time 3; ends: time 2; asked: time 4; }
kernel several(k: i64, inout a: f32[n, m], inout b: f32[n, m]) {
	repeat t < k {
		first: stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary clamp;
		second: stencil a[i, j] = 0.5 * (b[i-1, j] + b[i+1, j]) boundary clamp;
	}
}
schedule several for cuda { time 5; first: time 2; second: time 3; }
