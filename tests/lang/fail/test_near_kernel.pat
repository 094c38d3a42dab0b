kernel smooth(input: f32[n], out result: f32[n]) { map result[i] = input[i]; }
test t { smoth(input = [1]) -> result = 1; }
