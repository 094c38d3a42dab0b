kernel f(k: i32[n], inout h: i32[m]) {
	a: histogram h[k[i]] += 1;
	b: histogram h[k[i]] += 1;
	c: histogram h[k[i]] += 1;
}
schedule f for cuda { a: privatise 3; b: privatise first; c: privatise first 0; }
