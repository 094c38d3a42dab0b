kernel deposits(x: i32[n], inout rho: i64[h, w]) {
	d: scatter rho[(p * 37) % 150 + i64(x[p] % 2) + a, (p * 53) % 140 + i64(x[p] % 3) + b] += i64(x[p] + i32(a)) drop
		for p in 0..n, a in 0..2, b in 0..2;
}
kernel deposits_lost(x: i32[n], inout rho: u8[n]) {
	d: scatter rho[x[p] % 7 + a + 3] |= u8(1 << a) where x[p] % 3 != 1 for p in 0..n, a in 0..4;
}
schedule deposits for cuda { d: gather; }
schedule deposits_lost for cuda { d: gather; }
