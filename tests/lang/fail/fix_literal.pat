kernel f(x: u8[n], out y: u8[n]) { map y[i] = x[i] ^ u8(-1); }
kernel g(x: i32[n], out y: i32[n]) { map y[i] = min(x[i], 16.0); }
