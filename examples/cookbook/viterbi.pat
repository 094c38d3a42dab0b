// viterbi.pat - the likeliest states of a hidden Markov model (speech, genomes).
// Patterns: repeat, reduce; the way back is a loop of single cells.

// Logarithms of probabilities: of the first state, of a step from r to s, of what is seen in s.
kernel viterbi(first: f32[s], step: f32[s, s], seen: f32[s, o], x: i32[n], out state: i64[n],
               out best: f32) {
	require n >= 1, s >= 1;
	let score: f32[s];
	let next: f32[s];
	let from: i64[n, s];
	let last: i64;
	gather score[a] = first[a] + seen[a, x[0]];
	repeat t < n - 1 {
		reduce next[a], from[t+1, a] = argmax[b](score[b] + step[b, a]);
		gather score[a] = next[a] + seen[a, x[t+1]];
	}
	reduce best, last = argmax[a](score[a]);
	map state[n-1] = last;
	repeat t < n - 1 {
		gather state[n-2-t] = from[n-1-t, state[n-1-t]];
	}
}

test known {
	// two states, which are kept; the second is seen as 1
	viterbi(first = [-1, -1], step = [[-0.1, -3], [-3, -0.1]], seen = [[-0.1, -2], [-2, -0.1]],
	        x = [0, 0, 1, 1, 1, 1]) -> state = [0, 0, 1, 1, 1, 1], best = -5 within 1e-6;
	viterbi(first = [-1, -2], step = 0, seen = [[0], [0]], x = [0]) -> state = [0], best = -1;
}
