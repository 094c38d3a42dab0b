// Random access: updates of 64 bits, a stream of pseudorandom words each, which flip bits of a table of 2^k words
const POLYNOMIAL: u64 = 7;
fn next(word: u64) -> u64 = (word << 1) ^ (i64(word) < 0 ? POLYNOMIAL : 0);

kernel random_access(rounds: i64, inout word: u64[streams], inout table: u64[cells]) {
	require cells >= 1;
	repeat t < rounds {
		map word[s] = next(word[s]);
		scatter table[word[s] % u64(cells)] ^= word[s];
	}
}
