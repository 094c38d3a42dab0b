kernel f(x: u8[n], out y: u8[n]) { map y[i] = x[i] ^ u8(-1); }
kernel g(x: u64[n], out y: u64[n]) { map y[i] = x[i] & u64(-16); }
kernel h(x: u8[n], out y: u8[n]) { map y[i] = x[i] ^ u8(-300); }
kernel i(x: i8[n], out y: i8[n]) { map y[i] = x[i] ^ i8(-129); }
kernel j(x: i8[n], out y: i8[n]) { map y[i] = x[i] + 1.0; }
