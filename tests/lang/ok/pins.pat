kernel blur(a: f32[n, m], out b: f32[n, m]) {
	step: stencil b[i, j] = 0.25 * (a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]) boundary clamp;
	map b[i, j] *= 2;
}
schedule blur for cuda sm_90 { step: stage shared, tile 8 x 128, coarsen 4; }
schedule blur for cuda { coarsen 2; step: stage l1; }
schedule blur for cpu { tile 64; }
kernel ragged(off: i32[m+1], x: f32[n], out y: f32[m], out z: f32[m]) {
	one: reduce y[r] = sum[e in off[r]..off[r+1]](x[e]);
	many: reduce z[r] = max[e in off[r]..off[r+1]](x[e]);
}
schedule ragged for cuda { one: no regularise; many: regularise; }
schedule ragged for hip { no regularise; }
schedule ragged for cpu { regularise; one: no regularise; }
