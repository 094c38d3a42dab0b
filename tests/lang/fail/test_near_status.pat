kernel smooth(input: f32[n], out result: f32[n]) { map result[i] = input[i]; }
test t { smooth(n = -1) -> status sizee; }
