kernel cell(x: f32[n], out y: f32[n]) { require x[0] > 0; map y[i] = x[i]; }
kernel fold(x: f32[n], out y: f32[n]) { require sum[i](x[i]) > 0; map y[i] = x[i]; }
kernel device(x: f32[n], inout s: f32) { require s > 0; reduce s = sum[i](x[i]); }
kernel constant(x: f32[n], out y: f32[n]) { require 1i32 + 1 == 2; map y[i] = x[i]; }
kernel number(x: f32[n], out y: f32[n]) { require n; map y[i] = x[i]; }
kernel late(x: f32[n], out y: f32[n]) { map y[i] = x[i]; require n > 0; }
kernel within(x: f32[n], inout y: f32[n]) { repeat t < 2 { require n > 0; map y[i] += x[i]; } }
kernel labelled(x: f32[n], out y: f32[n]) { here: require n > 0; map y[i] = x[i]; }
kernel unknown(x: f32[n], out y: f32[n]) { require q > 0; map y[i] = x[i]; }
kernel temporary(x: f32[n], out y: f32[n]) { let s: f32; require s > 0; map y[i] = x[i]; }
kernel weak(x: f32[n], out s: f32) { require n != 1; map s = x[n - 1]; }
kernel real(size k: f32, x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
kernel array(size k: i64[n], x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
kernel twice(size k: i64, k: i64, x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
kernel invented(k: i64, x: f32[n], out y: f32[n]) { let t: f32[k]; map t[i] = 0 for i in 0..k; map y[i] = x[i]; }
kernel new(k: i64, x: f32[n], out y: f32[n]) { let t: f32[q]; map y[i] = x[i]; }
