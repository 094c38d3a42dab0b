kernel l(x: f32[n], out y: f32[n]) {
	repeat 9 { map y[i] = x[i]; }
	repeat steps { map y[i] = x[i]; }
	repeat t until y < 3 at most 9 { map y[i] = x[i]; }
	repeat { map y[i] = x[i]; } until (c);
	do { map y[i] = x[i]; } while (c);
	return y;
}
fn m(x: f32) -> bool {
	return x > 0 and x < 1;
}
kernel o(x: f32[n], out y: f32[n]) { map y[i] = x[i] > 0 or x[i] < -1 ? 1 : 0; }
