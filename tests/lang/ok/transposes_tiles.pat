// transposes_tiles.pat - transposes by 16 bytes an access: whole and ragged tiles of every width, several arrays, joined axes, batches.
struct Complex { re, im: f32 }
kernel words(A: f32[100, 136], C: f32[100, 136], inout B: f32[136, 100], s: f32) {
	transpose B[j, i] = s * A[i, j] - C[i, j] + B[j, i];
}
kernel bytes(A: u8[144, 272], inout B: u8[272, 144], C: i8[64, 72], inout D: f32[72, 64]) {
	transpose B[j, i] = A[i, j];
	transpose D[j, i] = 2 * f32(C[i, j]);
}
kernel others(A: f16[72, 136], out B: f16[136, 72], C: f64[40, 66], out D: f64[66, 40], E: Complex[40, 68], out F: Complex[68, 40]) {
	transpose B[j, i] = A[i, j];
	transpose D[j, i] = C[i, j];
	transpose F[j, i] = E[i, j];
}
kernel cubes(A: f32[6, 12, 40], out B: f32[40, 6, 12], out C: f32[6, 40, 12], P: i32[3, 36, 40], v: i32[36], inout Q: i32[40, 3, 36], out R: i32[3, 40, 36]) {
	transpose B[k, i, j] = A[i, j, k];
	transpose C[i, k, j] = A[i, j, k];
	transpose Q[k, q, i] = P[q, i, k] + v[i];
	transpose R[q, k, i] = P[q, i, k] * i32(q);
}
schedule words for cuda { tile 32 x 64; }
// rows that begin anywhere
kernel apart(A: f32[67, 71], C: f32[67, 71], inout B: f32[71, 67], s: f32) {
	transpose B[j, i] = s * A[i, j] - C[i, j] + B[j, i];
}
kernel apart_kinds(A: u8[70, 131], out B: u8[131, 70], C: f16[37, 67], out D: f16[67, 37], E: Complex[33, 35], out F: Complex[35, 33],
                   G: i8[35, 37], out H: i32[37, 35]) {
	transpose B[j, i] = A[i, j];
	transpose D[j, i] = C[i, j];
	transpose F[j, i] = E[i, j];
	transpose H[j, i] = i32(G[i, j]) * 3;
}
kernel apart_planes(P: i32[3, 35, 37], v: i32[35], inout Q: i32[37, 3, 35], A: f64[n, m] layout row(ld), out B: f64[m, n]) {
	transpose Q[k, q, i] = P[q, i, k] + v[i];
	transpose B[j, i] = A[i, j];
}
// a pinned tile of many accesses a thread: an access is two cells, for those of the target have eight bytes
kernel many(A: u8[128, 256], out B: f64[256, 128]) {
	transpose B[j, i] = f64(A[i, j]);
}
schedule many for cuda { tile 256 x 128; }
