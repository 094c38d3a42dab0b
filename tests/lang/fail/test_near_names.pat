kernel smooth(input: f32[n], out result: f32[n]) { map result[i] = input[i]; }
test t { smooth(inputt = [1]) -> result = 1; }
test u { smooth(input = [1]) -> reslt = 1; }
