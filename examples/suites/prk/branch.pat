// Branches that data decide: in every round cells go one of three ways
fn turn(x: i32, t: i32) -> i32 {
	if (x ^ t) % 3 == 0 { return x + t; }
	var y = x;
	for k in 0..4 {
		if (y & 1) != 0 { y = y * 3 + 1; } else { y = y / 2; }
	}
	return y;
}
kernel branch(rounds: i32, inout x: i32[n]) {
	repeat t < rounds {
		map x[i] = turn(x[i], i32(t)) where x[i] >= 0;
		map x[i] = -x[i] - 1 where x[i] < 0;
	}
}
