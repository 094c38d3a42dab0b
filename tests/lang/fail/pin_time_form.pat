// The numbers that `time` takes.
kernel smooth(k: i64, inout a: f32[n]) {
	let b: f32[n];
	repeat t < k {
		one: stencil b[i] = 0.5 * (a[i-1] + a[i+1]) boundary keep;
		swap a, b;
	}
}
schedule smooth for cuda { one: time 0; }
schedule smooth for hip { one: time; }
schedule smooth for cuda sm_90 { one: time 3 x 4; }
