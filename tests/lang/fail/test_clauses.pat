kernel f(x: f32[n], out y: f32[n]) { map y[i] = x[i]; }
test t {
	f(x = [1]) -> y = [1] about 3;
	f(x = [1]) -> y = [1] within;
	f(x = [1]) -> y = [1] within -1;
	f(x = [1]) -> status lost;
	f(x = [1]) -> status 3;
}
test a refused { }
test b refuses P0401 { }
test c refused P401 { }
test d refused P0401 { f(x = [1]); }
test e { fn g(x: f32) -> f32 = x; }
test f refused P0401 { use "other.pat"; }
