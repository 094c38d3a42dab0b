// patc --target=cpu
// What visits of several passes keep in a core's cache: rows, or tiles of planes.
kernel rows(k: i64, inout a: f32[n, m]) {
	let b: f32[n, m];
	repeat t < k {
		stencil b[i, j] = 0.5 * (a[i-1, j] + a[i+1, j]) boundary clamp;
		swap a, b;
	}
}
kernel planes(k: i64, inout a: f32[l, n, m]) {
	let b: f32[l, n, m];
	repeat t < k {
		stencil b[i, j, z] = 0.5 * (a[i-1, j, z] + a[i+1, j+1, z-1]) boundary clamp;
		swap a, b;
	}
	repeat t < k {
		pinned: stencil b[i, j, z] = 0.5 * (a[i-1, j, z] + a[i+1, j+1, z-1]) boundary clamp;
		swap a, b;
	}
	repeat t < k {
		off: stencil b[i, j, z] = 0.5 * (a[i-1, j, z] + a[i+1, j+1, z-1]) boundary clamp;
		swap a, b;
	}
}
schedule planes for cpu { pinned: time 2; off: no time; }
kernel more(k: i64, inout a: f32[p, l, n, m]) {
	let b: f32[p, l, n, m];
	repeat t < k {
		stencil b[o, i, j, z] = 0.5 * (a[o, i-1, j, z] + a[o, i+1, j, z]) boundary clamp;
		swap a, b;
	}
}
kernel far(k: i64, inout a: f64[l, n, m]) {
	let b: f64[l, n, m];
	repeat t < k {
		stencil b[i, j, z] = 0.5 * (a[i-90, j-90, z] + a[i+90, j+90, z]) boundary clamp;
		swap a, b;
	}
}
