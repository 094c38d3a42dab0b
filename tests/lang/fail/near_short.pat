kernel a(x: f32[n], out y: f32[n]) { map y[i] = asum(x[i]) + coth(x[i]) + acot(x[i]) + dot(x[i], x[i]); }
kernel b(x: f32[n], out y: f32[n]) { map y[i] = sinf(x[i]) + expf(x[i]) + powf(x[i], 2) + sqtr(x[i]) + sgrt(x[i]); }
kernel c(x: f32[n], out y: f32[n]) { map y[i] = cosd(x[i]) + ainh(x[i]) + asyn(x[i]) + attn(x[i]); }
