// help_places.pat - an error is where its help can be applied: tests/cures.py does.
kernel too_wide(x: f32[n], d: f64[n], k: i32[n], inout w: f32[n], inout c: i32[n]) {
	scatter w[k[i]] max= d[i];
	histogram c[k[i]] += x[i];
	map w[i] -= d[i];
}
kernel of_folds(x: f32[n], r: i32[m+1], out s: f32, inout w: f32[n]) {
	reduce s = sum[i in 0..2*n](x[i]);
	reduce s = sum[j](x[j+1]);
	scan w[i] = sum(x[i]) heads r;
	repeat q < 9 { map s = x[q]; }
}
