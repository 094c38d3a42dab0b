// rows_of_passes.pat - statements of a repeat read rows, planes and cells of an array that earlier passes have written.
kernel up(x: f32[t, n], out h: f32[t, n]) {
	repeat s < t { map h[s, j] = x[s, j] + (s > 0 ? h[s-1, j] : 0); }
}
kernel down(x: f32[t, n], out h: f32[t, n]) {
	repeat s < t { map h[t-1-s, j] = x[t-1-s, j] + (s > 0 ? h[t-s, j] : 0); }
}
kernel far(x: i32[2*t, n], out h: i32[2*t, n], out e: i32[t+2]) {
	repeat s < t {
		map h[2*s, j] = s > 0 ? h[2*s-2, j] + h[2*s-1, j] : x[0, j];
		map h[2*s+1, j] = x[2*s+1, j] + (s > 2 ? h[2*s-5, j] : 0);
	}
	map e[i] = 0 for i in 0..2;
	repeat s < t { map e[s+2] = e[s] + e[s+1] + 1; }
}
kernel turned(x: i64[n, t], which: i32[n], out h: i64[n, t], out g: i64[n, t] layout col, out k: i64[n, t]) {
	repeat s < t {
		stencil h[i, s] = x[i, s] + (s > 0 && i > 0 ? h[i-1, s-1] : 0) + (s > 1 && i + 1 < n ? h[i+1, s-2] : 0);
		gather g[i, s] = x[i, s] + (s > 0 ? g[which[i], s-1] : 0) drop;
		map k[i, s] = s > 0 ? h[i, s-1] - g[i, s-1] : 7;
	}
}
kernel network(x: f64[t, n], u: f64[n], out h: f64[t, n], out g: f64[t, n], out top: f64[t]) {
	repeat s < t {
		map g[s, i] = s > 0 ? u[i] * h[s-1, i] - g[s-1, i] : 0;
		map h[s, i] = clamp(x[s, i] + g[s, i], -1, 1);
		reduce top[s] = max[j](h[s, j]);
		map top[s] = max(top[s], s > 0 ? top[s-1] : 0);
	}
}
kernel power(a: i32[n, n], out p: i32[t, n, n]) {
	repeat s < t {
		map p[s, i, j] = a[i, j] where s == 0;
		matmul p[s, i, j] = sum[l](p[s-1, i, l] * a[l, j]) where s > 0;
	}
}
kernel nested(x: i32[t, t, n], out h: i32[t, t, n]) {
	repeat s < t {
		repeat u < t {
			map h[s, u, j] = x[s, u, j] + (u > 0 ? h[s, u-1, j] : 0) + (s > 0 ? h[s-1, u, j] : 0);
		}
	}
}
test of_rows {
	up(x = [[1, 2], [3, 4], [5, 6]]) -> h = [[1, 2], [4, 6], [9, 12]];
	up(t = 3, n = 300, x = 1);
	down(x = [[1, 2], [3, 4], [5, 6]]) -> h = [[9, 12], [8, 10], [5, 6]];
	far(x = [[1], [2], [3], [4], [5], [6], [7], [8]]) -> h = [[1], [2], [3], [4], [7], [6], [13], [10]], e = [0, 0, 1, 2, 4, 7];
	turned(x = [[1, 2, 3], [4, 5, 6]], which = [1, 0])
		-> h = [[1, 2, 7], [4, 6, 8]], g = [[1, 6, 9], [4, 6, 12]], k = [[7, 0, -4], [7, 0, 0]];
	network(x = [[0.5, 0.25], [0, 0]], u = [1, 2]) -> g = [[0, 0], [0.5, 0.5]], h = [[0.5, 0.25], [0.5, 0.5]], top = 0.5;
	network(n = 70, t = 3, x = random, u = random);
	power(a = [[1, 1], [1, 0]], t = 4) -> p = [[[1, 1], [1, 0]], [[2, 1], [1, 1]], [[3, 2], [2, 1]], [[5, 3], [3, 2]]];
	nested(x = [[[1], [1]], [[1], [1]]]) -> h = [[[1], [2]], [[2], [5]]];
}
