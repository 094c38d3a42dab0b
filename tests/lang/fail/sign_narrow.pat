kernel a(x: u8[n], y: i8[n], out z: i32[n]) { map z[i] = x[i] * y[i]; }
kernel b(x: u16[n], y: i8[n], out z: i32[n]) { map z[i] = y[i] + x[i]; }
kernel c(x: u32[n], y: i8[n], out z: i64[n]) { map z[i] = y[i] + x[i]; }
kernel d(x: u64[n], y: i8[n], out z: i64[n]) { map z[i] = y[i] + x[i]; }
