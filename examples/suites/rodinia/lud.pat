// m = L U in place, without pivots
kernel lud(inout m: f32[dim, dim]) {
	repeat k < dim {
		map m[i, k] /= m[k, k] for i in k+1..dim;
		map m[i, j] -= m[i, k] * m[k, j] for i in k+1..dim, j in k+1..dim;
	}
}
