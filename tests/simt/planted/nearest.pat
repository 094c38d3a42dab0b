kernel nearest(bind: u8[n], inout key: f32[1060, n+515]) { segsort key by > first 50; }
kernel farther(bind: u8[n], inout key: i16[1060, n+1010]) { segsort key first 100; }
kernel farthest(bind: u8[n], inout key: u16[1060, n+2040]) { segsort key first 256; }
