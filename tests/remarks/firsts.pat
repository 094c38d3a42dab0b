// The first ones of sequences: which ways there are for lengths that are data, short rows, longer ones.
kernel cut(inout key: f32[n], off: i32[s]) { segsort key segments off first 3; }
kernel short_rows(inout key: f32[n, 100]) { segsort key first 3; }
kernel rows(inout key: f32[n, 3000], out at: i32[n, 3000], k: i32) { segsort key first 3; segsort key into at first k; }
