kernel f(x: f32[n], out y: f32[n]) {
	map y[i] = 128x8;
	map y[i] = 1. + 2;
	map y[i] = 0x;
	map y[i] = 0xfg;
	map y[i] = 1e;
	map y[i] = 1e+;
	map y[i] = 1.5i32;
	map y[i] = 010;
	map y[i] = 1_000;
	map y[i] = 1bool;
	map y[i] = 1.2.3;
	map y[i] = 0b101;
	map y[i] = 0x10f64q;
}
