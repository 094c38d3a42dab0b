// A star of radius 2 with weights 1 / (2 k radius), added to out; then every cell of in grows by one
const R: i64 = 2;
fn weight(k: f64) -> f64 = 1 / (2 * k * 2);

kernel star(iterations: i64, inout in_: f64[n, n], inout out_: f64[n, n]) {
	repeat t < iterations {
		stencil out_[i, j] += weight(1)
			* (in_[i, j+1] - in_[i, j-1] + in_[i+1, j] - in_[i-1, j])
			+ weight(2) * (in_[i, j+2] - in_[i, j-2] + in_[i+2, j] - in_[i-2, j])
				for i in R..n-R, j in R..n-R;
		map in_[i, j] += 1;
	}
}
