// One array by the digits of its keys on GPUs: passes over many small tiles.  Keys have all their digits, or the same
// ones; they move alone, with one scalar, or as numbers by which the rest is fetched.
struct P { x: f32, id: i32 }

kernel pairs(bind: u8[n], inout key: u32[131*n+5], inout val: f64[131*n+5]) {
	map key[i] = (key[i] ^ u32(i)) * 2654435761;
	sort key with val stable;
}
kernel alone(bind: u8[n], inout key: i64[131*n+5], inout few: i8[131*n+5]) {
	map key[i] = (key[i] ^ i) * 6364136223846793005;
	sort key by >;
	sort few;
}
kernel floats(bind: u8[n], inout key: f32[131*n+5], inout val: bf16[131*n+5], steps: i32) {
	repeat s < steps { sort key with val by > stable; map key[i] = key[i] * (i % 7 == 0 ? -1 : 1); }
}
kernel rest(bind: u8[n], inout key: u16[131*n+5], inout p: P[131*n+5], inout b: bool[131*n+5], inout w: f64[131*n+5]) {
	map key[i] = (key[i] ^ u16(i)) * 40503;
	sort key with p, b, w;
}
kernel places(bind: u8[n], key: i16[131*n+5], out at: i64[131*n+5], inout half: f16[131*n+5], inout val: i32[131*n+5], k: i32) {
	sort key by > stable into at;
	sort half with val first k stable;
}
schedule pairs for cuda { coarsen 1; }
schedule pairs for hip { coarsen 2; }
schedule alone for cuda { coarsen 1; }
schedule alone for hip { coarsen 1; }
schedule floats for cuda { coarsen 1; }
schedule floats for hip { coarsen 1; }
schedule rest for cuda { coarsen 2; }
schedule rest for hip { coarsen 1; }
schedule places for cuda { coarsen 1; }
schedule places for hip { coarsen 1; }
