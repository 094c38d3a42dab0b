// temporaries of wavefronts of which some rows or planes are kept, in every order that looks back in memory
struct Pair { n: i32, w: f32 }
kernel by_tiles(p: i32[530, 66], out top: i32, out row: i64, out column: i64, out last: i32[66], out right: i32[530]) {
	let H: i32[530, 66];
	let E: i32[530, 66];
	all: wavefront E[i, j] = p[i, j] ^ E[i, j-1] + H[i-1, j], H[i, j] = E[i, j] + 3 * H[i-1, j-1] - E[i-1, j-1] boundary 1;
	reduce top, row, column = argmax[i, j](H[i, j] & 1023);
	map last[j] = E[529, j];
	map right[i] = H[i, 65];
}
kernel by_hybrid(p: i32[150, n], out s: i32, out right: i32[150]) {
	let a: i32[150, n];
	all: wavefront a[i, j] = max(max(a[i-1, j] - 2, a[i, j-1] - 1), max(a[i-1, j-1] + 3, p[i, j])) boundary 0;
	reduce s = max[i, j](a[i, j] ^ 5);
	map right[i] = 0 < n ? a[i, n-1] : 3;
}
kernel by_rows(p: f64[2, 6, 600], out best: f64[2], out low: f64) {
	let a: f64[2, 6, 600];
	all: wavefront a[k, i, j] = p[k, i, j] + a[k, i+2, j+1] / 4 - a[k, i, j+1] / 2 boundary 1 from right from below;
	reduce best[k] = max[i, j](a[k, i, j]);
	reduce low = min[k, i, j](a[k, i, j]);
}
kernel slanted(p: Pair[530, 9], out s: i32, out first: i32) {
	let A: Pair[530, 9];
	all: wavefront A[i, j] = Pair(p[i, j].n ^ A[i+1, j-1].n, A[i+3, j+1].w + A[i, j+1].w / 4) boundary Pair(1, 2) from right from below;
	reduce s = max[i, j](A[i, j].n);
	map first = A[0, 0].n;
}
kernel planes(p: i32[7, 20, n], out s: i32, out corner: i32[7]) {
	let u: i32[7, 20, n];
	all: wavefront u[h, i, j] = p[h, i, j] ^ u[h-2, i, j+1] + u[h, i-1, j] - u[h, i, j-1] boundary 3;
	reduce s = max[h, i, j](u[h, i, j] & 1023);
	map corner[h] = 0 < n ? u[h, 19, n-1] : 0;
}
kernel turned(p: i32[2, 5, l, 9], out s: i32) {
	let u: i32[2, 5, l, 9];
	all: wavefront u[b, h, i, j] = p[b, h, i, j] + max(u[b, h-1, i, j], u[b, h, i-1, j-1], u[b, h-1, i-1, j] - 5) boundary 3;
	reduce s = max[b, h, i, j](u[b, h, i, j] ^ 77);
}
kernel last(p: i32[5, 9, n], out plane: i32[9, n], out row: i32[n]) {
	let u: i32[5, 9, n];
	wavefront u[h, i, j] = p[h, i, j] ^ u[h-1, i, j+1] + u[h, i-1, j] - u[h, i, j-1] boundary 3;
	map plane[i, j] = u[4, i, j];
	map row[j] = u[4, 8, j] + u[4, 8, j];
}
kernel one(p: i32[6, 9, n], out plane: i32[9, n], out cell: i32) {
	let u: i32[6, 9, n];
	wavefront u[h, i, j] = p[h, i, j] ^ u[h, i-1, j] - u[h, i, j-1] boundary 3;
	map plane[i, j] = u[2, i, j];
	map cell = 0 < n ? u[1, 0, n-1] : 0;
}
kernel shifted(p: i32[530, 3], out s: i32) {
	let T: i32[531, 4];
	all: wavefront T[i, j] = (i > 0 && j > 0 ? p[max(i, 1) - 1, max(j, 1) - 1] : 0) + max(T[i-1, j], T[i, j-1]) boundary 0;
	reduce s = max[i, j](T[i, j] & 255);
}
kernel many(p: i32[k, 6, 5], out best: i32[k], out last: i32[k], out other: i32) {
	let H: i32[k, 6, 5];
	let E: i32[k, 6, 5];
	let F: i32[70, 6, 5];
	wavefront E[b, i, j] = H[b, i, j-1] ^ p[b, i, j], H[b, i, j] = E[b, i, j] + 3 * H[b, i-1, j] - H[b, i-2, j-1] boundary (2, 1);
	reduce best[b] = max[i, j](H[b, i, j]);
	map last[b] = E[b, 5, 4];
	wavefront F[b, i, j] = (i32(b) & 7) ^ F[b, i-1, j] + F[b, i, j-1] boundary i32(i - j);
	reduce other = max[b, i, j](F[b, i, j] & 1023);
}
schedule by_tiles for cuda { all: sweep diagonal; }
schedule by_tiles for hip { all: sweep diagonal; }
schedule by_hybrid for cuda { all: sweep hybrid; }
schedule by_hybrid for hip { all: sweep hybrid; }
schedule by_rows for cuda { all: sweep rows; }
schedule by_rows for hip { all: sweep rows; }
schedule slanted for cuda { all: sweep diagonal; }
schedule turned for hip { all: sweep diagonal; }
schedule shifted for cuda { all: sweep diagonal; }
