// systems side by side, whose strips are solved by threads: strips of two levels, the last one of some rows
kernel banks(d: f32[300, 33], out x: f32[300, 33]) {
	solve x[i, s] in 2.25 * x[i, s] - x[i-1, s] + x[i+1, s] = d[i, s] boundary 0;
}
kernel banks_exchanged(a: f32[150, 33], d: f32[150, 33], out x: f32[150, 33]) {
	solve x[i, s] in (i % 2 == 1 ? 4 : clamp(a[i, s], -1, 1)) * x[i-1, s]
		+ clamp(a[i, s], -1, 1) / 4 * x[i, s]
		+ (i % 2 == 0 ? 4 : 0.5) * x[i+1, s] = d[i, s] boundary 0 pivot;
}
