// patc --target=cuda
// How many passes of a loop one visit computes, and why others are launched pass by pass.
struct P { x, y: f32 }
kernel five(k: i64, inout a: f32[n, m], inout p: f32[n, m]) {
	let b: f32[n, m];
	let q: f32[n, m];
	repeat t < k {
		stencil b[i, j] = 0.2 * (a[i, j] + a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
		swap a, b;
	}
	repeat t < k {
		pinned: stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary keep;
		swap a, b;
	}
	repeat t < k {
		off: stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary keep;
		swap a, b;
	}
	repeat t < k {
		stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary keep;
		stencil q[i, j] = 0.5 * (p[i-1, j] + p[i+1, j]) boundary clamp;
		swap a, b;
		swap p, q;
	}
}
kernel far(k: i64, inout a: f32[n, m]) {
	let b: f32[n, m];
	repeat t < k {
		stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary clamp;
		swap a, b;
	}
}
schedule far for cuda { time 40; }
schedule five for cuda { pinned: time 5; off: no time; }
kernel settles(most: i64, inout a: f32[n, m], out change: f32) {
	let b: f32[n, m];
	repeat until change < 1 at most most {
		stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary clamp;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
	repeat until change < 1 every 20 at most most {
		stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary clamp;
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		swap a, b;
	}
	repeat until change < 1 every 20 at most most {
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
		stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary clamp;
		swap a, b;
	}
	repeat until change < 1 at most most {
		repeat t < 20 {
			stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary clamp;
			swap a, b;
		}
		reduce change = max[i, j](abs(b[i, j] - a[i, j]));
	}
}
kernel slow(k: i64, inout a: f32[n, m]) {
	let b: f32[n, m];
	repeat t < k {
		stencil b[i, j] = sum[p in -1..2, q in -1..2](sin(a[i+p, j+q]) / cos(a[i+p, j+q]) / exp(a[i+p, j+q])) boundary 1;
		swap a, b;
	}
}
kernel space(k: i64, inout a: f32[n, m, l], inout s: P[n, m], inout f: f32[n, m], inout h: i32[m], inout count: i32[m],
              inout tall: f32[n, 2*m], inout wide: f32[n, m+1]) {
	let b: f32[n, m, l];
	let s2: P[n, m];
	let g: f32[n, m];
	let change: f32;
	let scale: f32;
	repeat t < k {
		stencil b[i, j, z] = a[i-1, j, z] + a[i+1, j, z] boundary clamp;
		swap a, b;
	}
	repeat t < k {
		map s2[i, j] = P(s[i, j].y, s[i, j].x);
		swap s, s2;
	}
	repeat t < k {
		stencil s2[i, j].x = 0.5 * s[i-1, j].x, s2[i, j].y = s[i, j].y boundary clamp;
		swap s, s2;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] + f[i, j+1] boundary clamp;
		reduce change = max[i, j](abs(g[i, j] - f[i, j]));
		swap f, g;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] + f[i, j+5] boundary clamp;
		swap f, g;
	}
	repeat t < k {
		histogram count[h[i]] += 1 drop;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] + f[i, j+1] boundary clamp;
		repeat u < k { swap f, g; }
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] + f[i, j+1] + scale boundary clamp;
		map scale = scale + 1;
		swap f, g;
	}
	repeat t < k {
		stencil g[i, j] = f[0, j+1] + 1 boundary clamp;
		swap f, g;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] + h[j+1] boundary clamp;
		swap f, g;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] + tall[i, j] boundary clamp;
		swap f, g;
	}
	repeat t < k {
		map f[i, j] = f[i, j] + 1;
	}
	repeat t < k {
		map f[i, j] = g[i, j] + f32(t);
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] boundary clamp;
		swap f, g;
		swap h, count;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] boundary clamp for i in i64(t)..n;
		swap f, g;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] boundary f32(j);
		swap f, g;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] boundary (1, 2);
		swap f, g;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j+1] boundary (1, 2);
		swap f, g;
	}
	repeat t < k {
		let own: f32[n, m];
		stencil g[i, j] = f[i-1, j] + own[i, j] boundary clamp;
		map own[i, j] = 1;
		swap f, g;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] for i in 1..n-1;
		stencil g[i, j] = f[i+1, j] for i in 1..n-1 where f[i, j] > 0;
		swap f, g;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] where f[i, j] > 0 boundary clamp;
		swap f, g;
	}
	repeat until change < 1 every 20 at most k {
		stencil g[i, j] = f[i-1, j] where f[i, j] > 0 boundary clamp;
		reduce change = max[i, j](abs(g[i, j] - f[i, j]));
		swap f, g;
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] + 1 boundary clamp;
		stencil f[i, j] = g[i+1, j] - 1 boundary clamp;
	}
	repeat t < k {
		map tall[i, 2*j] = f[i, j];
	}
	repeat t < k {
		stencil g[i, j] = f[i-1, j] + f[i+1, j] boundary clamp;
		stencil wide[i, j] = f[i-1, j] + f[i+1, j] boundary clamp for j in 0..m;
		swap f, g;
	}
}
kernel corners(k: i64, inout a: f32[n, m, l]) {
	let b: f32[n, m, l];
	repeat t < k {
		stencil b[i, j, z] = a[i-1, j-1, z] + a[i+1, j+1, z] + a[i, j-1, z] boundary clamp;
		swap a, b;
	}
}
kernel lost(k: i64, inout a: f32[n, m], inout c: f32[n, m], inout d: f32[n, m]) {
	let b: f32[n, m];
	repeat t < k {
		stencil b[i, j] = a[i-1, j] + a[i+1, j] boundary clamp;
		map d[i, j] = b[i, j] + 1;
		swap a, b;
		swap c, d;
	}
}
