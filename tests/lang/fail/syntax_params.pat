kernel f(x: f32[n] y: f32[n]) { }
kernel g(f32 x[n]) { }
kernel h(out inout x: f32) { }
kernel k { }
kernel m() map;
