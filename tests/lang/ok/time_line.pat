// Several passes in a visit of arrays of one axis, which may end within a vector.
kernel time_line(steps: i32, inout a: f32[n], out b: f32[n]) {
	let c: f32[n];
	repeat s < steps {
		step: stencil c[i] = (a[i-1] + a[i+1]) / 2 boundary clamp;
		swap a, c;
	}
	map b[i] = 2 * a[i];
}
schedule time_line for cuda { step: time 2; }
schedule time_line for hip { step: time 2; }
kernel time_ring(steps: i32, inout a: f32[n]) {
	let c: f32[n];
	repeat s < steps {
		step: stencil c[i] = (a[i-1] + a[i] + a[i+1]) / 3 boundary wrap;
		swap a, c;
	}
}
schedule time_ring for cuda { step: time 3; }
schedule time_ring for hip { step: time 3; }
