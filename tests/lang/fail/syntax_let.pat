kernel f(x: f32[n], out y: f32[n]) {
	let t;
	let t f32;
	let : f32;
	let t: 3;
	let t: f32[];
}
