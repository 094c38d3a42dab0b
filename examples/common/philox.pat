// philox.pat - random numbers that are a function of their number: Philox4x32-10, of J. Salmon,
// M. Moraes, R. Dror and D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011.
//
// The key says which stream, the counter which number of it.  Any cell of any kernel has its own
// numbers, without a state, and the same ones on every run and every machine.

struct Random { a, b, c, d: u32 }

fn high(x: u32, y: u32) -> u32 = u32(u64(x) * u64(y) >> 32);

// Four words of 32 random bits.
fn philox(counter: Random, key: u64) -> Random {
	var r: Random = counter;
	var low: u32 = u32(key);
	var top: u32 = u32(key >> 32);
	for round in 0..10 {
		r = Random(high(0xcd9e8d57, r.c) ^ r.b ^ low, 0xcd9e8d57 * r.c,
			high(0xd2511f53, r.a) ^ r.d ^ top, 0xd2511f53 * r.a);
		low += 0x9e3779b9;
		top += 0xbb67ae85;
	}
	return r;
}

// Number `at` of a stream, of which there are 2^64.
fn random_words(at: u64, stream: u64) -> Random =
	philox(Random(u32(at), u32(at >> 32), 0, 0), stream);

// From 0 up to, and without, 1.
fn unit_f32(word: u32) -> f32 = f32(word >> 8) / 16777216;
fn unit_f64(word: u32, other: u32) -> f64 =
	(f64(word >> 5) * 67108864 + f64(other >> 6)) / 9007199254740992;

kernel philox_each(counter: Random[n], key: u64[n], out word: Random[n]) {
	map word[i] = philox(counter[i], key[i]);
}

// The known answers that Random123 publishes.
test known_answers {
	philox_each(counter =
		[Random(0, 0, 0, 0), Random(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff),
		Random(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344)],
	            key = [0, 0xffffffffffffffff, 0x299f31d0a4093822])
		-> word = [Random(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8),
			Random(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd),
			Random(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1)];
}
