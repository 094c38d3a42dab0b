kernel f(inout a: f32[n], steps: i32) {
	let b: f32[n];
	time: repeat t < steps {
		map b[i] = a[i];
		turn: swap a, b;
	}
}
schedule f for cuda { time: coarsen 2; turn: no fuse; }
