// Variants of a kernel's statements by conditions on sizes; `when` is a name elsewhere.
kernel when_mixed(when: i32, a: f32[n, m], out mean: f32[n], inout x: f32[n, m], out total: f32) {
	require when >= 0 || n >= 0;
	let t: f32[n, m];
	half: map t[i, j] = a[i, j] / 2; map t[i, j] += f32(when);
	blur: stencil x[i, j] += t[i, j-1] + t[i, j+1] boundary clamp;
	rows: reduce mean[i] = sum[j](x[i, j]) / f32(m);
	reduce total = max[i](mean[i]);
}
schedule when_mixed for cuda {
	half: coarsen 2, no fuse when n * m < 300;
	half: no fuse;
	blur: stage shared, tile 4 x 64 when m > 40 && n > 2;
	blur: stage l1;
	vector 1 when n * m < 300;
}
schedule when_mixed for hip { blur: stage shared when m % 2 == 0; half: no fuse when n < 20; }
schedule when_mixed for cpu { half: no fuse when n < 20; vector 1 when n < 20; }
schedule when_mixed for cuda sm_90 { rows: vector 2 when n < 20; }

kernel when_loop(steps: i32, inout a: f32[n], out b: f32[n]) {
	let c: f32[n];
	repeat s < steps {
		step: stencil c[i] = (a[i-1] + a[i+1]) / 2 boundary wrap;
		swap a, c;
	}
	last: map b[i] = 2 * a[i];
}
schedule when_loop for cuda { step: no time when n < 1000; last: vector 1 when steps > 3; }
schedule when_loop for cpu { step: no time when steps == 2; }
schedule when_loop for hip { step: no time when n >= 1000 && steps > 0; }

test the_same {
	when_mixed(when = 5, a = [[2, 4], [6, 8]], x = 0) -> mean = [13, 17], total = 17;
	when_loop(steps = 1, a = [1, 2, 3]) -> a = [2.5, 2, 1.5], b = [5, 4, 3];
}
