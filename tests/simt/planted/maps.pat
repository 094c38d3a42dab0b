// scan with an operator that does not commute and forgets nothing: maps x -> a x + b, a odd, one
// after another.
struct Map { a, b: i32 }
op then(f: Map, g: Map) -> Map = Map(f.a * g.a, f.b * g.a + g.b) identity Map(1, 0), associative;

kernel maps(x: i32[n], out q: Map[n])
{
	scan q[i] = then(Map(2 * x[i] + 1, x[i]));
}
schedule maps for cuda { coarsen 1; }
schedule maps for hip { coarsen 1; }

test groups_of_tiles {
	maps(n = 70001, x = random);
}
