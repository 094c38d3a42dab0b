// what random programs found in fuse
// the reader writes the temporary that it reads: its next equation wants the new value
kernel rewritten(x: i32[n], out y: i32[n], out z: i32[n]) {
	let t: i32[n];
	let u: i32[n];
	map t[i] = x[i];
	map t[i] = t[i] * i32(i), u[i] max= i32(i) % t[i];
	map y[i] = u[i];
	let v: i32[n];
	map v[i] = 2 * x[i];
	map v[i] += 1, z[i] = v[i] - x[i];
}
