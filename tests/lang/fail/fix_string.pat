extern fn erfcx(x: f64) -> f64 from "special.cuh;
kernel f(x: f64[n], out y: f64[n]) { map y[i] = erfcx(x[i]); }
