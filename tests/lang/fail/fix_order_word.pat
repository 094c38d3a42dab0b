kernel f(inout x: f32[n]) { sort x by descending; }
kernel g(inout x: i32[n]) { sort x by less; }
