kernel f(x: f32[m, n], y: f32[n], b: bool[n], out v: f32, out at: i64, out w: i64, out k: i32, inout t: f32[n]) {
	reduce at = argmax[i, j](x[i, j]);
	reduce v, at = argmax[i, j](x[i, j]);
	reduce v, at = 2 * argmax[i](y[i]);
	reduce v, at += argmax[i](y[i]);
	reduce v, k = argmax[i](y[i]);
	reduce w, at = argmin[i](y[i]);
	reduce v, at = argmax[i](b[i]);
	reduce v, at = argmax[i in 0..3](1);
	reduce at, at = argmax[i](i + i64(y[i]));
	reduce t[i] argmax= y[i];
	reduce v, at = argmax(y[i]);
}
