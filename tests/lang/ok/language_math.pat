// the function table in f32 and f64
kernel m1(x: f32[n], out a: f32[n], out b: f32[n], out c: f32[n], out d: f32[n], out e: f32[n], out f: f32[n]) {
	map a[i] = abs(x[i]) + fabs(x[i]);
	map b[i] = sqrt(abs(x[i]));
	map c[i] = rsqrt(abs(x[i]) + 1);
	map d[i] = cbrt(x[i]);
	map e[i] = exp(x[i]);
	map f[i] = exp2(x[i]);
}
kernel m2(x: f32[n], out a: f32[n], out b: f32[n], out c: f32[n], out d: f32[n], out e: f32[n], out f: f32[n]) {
	map a[i] = expm1(x[i]);
	map b[i] = log(abs(x[i]));
	map c[i] = log2(abs(x[i]) + 1);
	map d[i] = log10(abs(x[i]) + 2);
	map e[i] = log1p(abs(x[i]));
	map f[i] = sin(x[i]);
}
kernel m3(x: f32[n], out a: f32[n], out b: f32[n], out c: f32[n], out d: f32[n], out e: f32[n], out f: f32[n]) {
	map a[i] = cos(x[i]);
	map b[i] = tan(clamp(x[i], -1, 1));
	map c[i] = asin(x[i]);
	map d[i] = acos(x[i]);
	map e[i] = atan(x[i]);
	map f[i] = atan2(x[i], 2);
}
kernel m4(x: f32[n], out a: f32[n], out b: f32[n], out c: f32[n], out d: f32[n], out e: f32[n], out f: f32[n]) {
	map a[i] = sinh(x[i]);
	map b[i] = cosh(x[i]);
	map c[i] = tanh(x[i]);
	map d[i] = asinh(x[i]);
	map e[i] = acosh(abs(x[i]) + 1);
	map f[i] = atanh(x[i] / 4);
}
kernel m5(x: f32[n], y: f32[n], out a: f32[n], out b: f32[n], out c: f32[n], out d: f32[n], out e: f32[n], out f: f32[n]) {
	map a[i] = erf(x[i]) + erfc(x[i]);
	map b[i] = tgamma(abs(x[i]) + 1);
	map c[i] = lgamma(abs(x[i]) + 3);
	map d[i] = pow(abs(x[i]), y[i]);
	map e[i] = fmod(x[i], y[i]);
	map f[i] = hypot(x[i], y[i]);
}
kernel m6(x: f32[n], y: f32[n], out a: f32[n], out b: f32[n], out c: f32[n], out d: f32[n], out e: f32[n], out f: f32[n]) {
	map a[i] = copysign(x[i], y[i]);
	map b[i] = fma(x[i], y[i], 1);
	map c[i] = fmin(x[i], y[i]) + fmax(x[i], 3);
	map d[i] = fdim(x[i], y[i]);
	map e[i] = remainder(x[i], y[i]);
	map f[i] = floor(x[i]) + ceil(y[i]);
}
kernel m7(x: f32[n], y: f32[n], out a: f32[n], out b: f32[n], out c: f32[n], out d: f32[n], out e: bool[n], out f: i32[n]) {
	map a[i] = round(x[i] * 4);
	map b[i] = rint(x[i] * 4);
	map c[i] = trunc(x[i] * 4);
	map d[i] = min(x[i], y[i], 1) + max(x[i], y[i]);
	map e[i] = isnan(x[i]) || isinf(y[i]);
	map f[i] = (isfinite(x[i]) ? 1 : 0) + i32(isnan(y[i] / y[i]));
}
kernel d1(x: f64[n], y: f64[n], out a: f64[n], out b: f64[n], out c: f64[n], out d: f64[n], out e: f64[n], out f: f64[n]) {
	map a[i] = abs(x[i]) + sqrt(abs(x[i])) + rsqrt(abs(x[i]) + 1) + cbrt(y[i]);
	map b[i] = exp(x[i]) + exp2(y[i]);
	map c[i] = expm1(x[i]) + log(abs(y[i]) + 1) + log2(abs(x[i]) + 1);
	map d[i] = log10(abs(x[i]) + 2) + log1p(abs(y[i]));
	map e[i] = sin(x[i]) + cos(y[i]);
	map f[i] = asin(x[i] / 2) + acos(y[i] / 2) + atan(x[i]) + atan2(x[i], y[i]);
}
kernel d2(x: f64[n], y: f64[n], out a: f64[n], out b: f64[n], out c: f64[n], out d: f64[n], out e: f64[n], out f: f64[n]) {
	map a[i] = sinh(x[i]) + cosh(y[i]) + tanh(x[i]) + tan(clamp(x[i], -1, 1));
	map b[i] = asinh(x[i]) + acosh(abs(x[i]) + 1) + atanh(x[i] / 4);
	map c[i] = erf(x[i]) + erfc(y[i]) + tgamma(abs(x[i]) + 1) + lgamma(abs(y[i]) + 3);
	map d[i] = pow(abs(x[i]), y[i]) + hypot(x[i], y[i]) + copysign(x[i], y[i]);
	map e[i] = fmod(x[i], y[i]);
	map f[i] = remainder(x[i], y[i]);
}
kernel d3(x: f64[n], y: f64[n], out a: f64[n], out b: f64[n], out c: f64[n], out d: f64[n], out e: bool[n]) {
	map a[i] = floor(x[i]) + ceil(y[i]) + round(x[i] * 3) + rint(y[i] * 3) + trunc(x[i] * 5);
	map b[i] = fma(x[i], y[i], 1) + fmin(x[i], y[i]) + fmax(x[i], y[i]) + fabs(x[i]);
	map c[i] = fdim(x[i], y[i]) + clamp(x[i], -0.5, 0.5);
	map d[i] = max(x[i], y[i], 0, -1, 0.5);
	map e[i] = isfinite(x[i]) && !isnan(y[i]) || isinf(x[i]);
}
kernel nans(x: f32[n], out a: f32[n], out b: bool[n], out c: f32[n], out d: f32[n]) {
	map a[i] = min(nan, x[i]) + max(x[i], nan);
	map b[i] = nan == x[i] || x[i] != x[i];
	map c[i] = x[i] > 0 ? inf : -inf;
	map d[i] = clamp(x[i], -1, 1);
}
kernel nan_fold(x: f32[n], out a: f32, out b: f32, out c: f32, out d: f32) {
	reduce a = min[i](sqrt(x[i]));
	reduce b = max[i](x[i] > 100 ? x[i] : nan);
	reduce c = max[i](x[i]), d = min[i](x[i]);
}
kernel int_float(k: i32[n], u: u64[n], out a: f32[n], out b: f64[n], out c: f64[n]) {
	map a[i] = sqrt(f32(abs(k[i] / 2)));
	map b[i] = f64(k[i]) / 3 + u[i];
	map c[i] = 0.5 * f64(i) + n;
}
kernel const_args(x: f32[n], out y: f32[n]) {
	map y[i] = x[i] * sqrt(2) + (1/2) * x[i] + exp(0) + pow(2, 0.5) + x[i] * (3 - 1/4);
}
