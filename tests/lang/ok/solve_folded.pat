// Rings whose equations have more unknowns than those beside them, folded in the middle: along the last axis and the first,
// long ones in strips, of one cell and of few; pentadiagonal ones, and structs of two fields; zero pivots.
struct Phase { u, v: f32 }
struct State { p, q: f64 }
fn turned(f: f32, x: Phase) -> Phase = Phase(f * x.v, -f * x.u);
fn both(a: Phase, b: Phase) -> Phase = Phase(a.u + b.u, a.v + b.v);
kernel folded_rows(a: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in a[s, i] * x[s, i-2] - x[s, i-1] + (5 + abs(a[s, i])) * x[s, i] + x[s, i+1] - 2 * x[s, i+2] = d[s, i]
		boundary wrap;
}
kernel folded_columns(k: f64[n], d: f64[n, m], out x: f64[n, m]) {
	solve x[i, s] in 0.5 * x[i-2, s] + (2 + 3 * abs(k[i])) * x[i, s] + k[i] * (x[i+1, s] - x[i+2, s]) = d[i, s] boundary wrap;
}
kernel folded_long(d: f32[9002], e: f64[2, 1031], out x: f32[9002], out y: f64[2, 1031]) {
	solve x[i] in 9 * x[i] - 3 * x[i-1] - 3 * x[i+1] + x[i-2] + x[i+2] = d[i] boundary wrap;
	solve y[s, i] in 4 * y[s, i] - y[s, i-2] + y[s, i+1] = e[s, i] boundary wrap;
}
kernel folded_phases(k: f32[n], d: Phase[m, n], out x: Phase[m, n]) {
	solve x[s, i] in both(both(Phase((3 + abs(k[i])) * x[s, i].u + x[s, i].v, 4 * x[s, i].v - x[s, i].u), turned(k[i], x[s, i-1])),
		turned(-1, x[s, i+1])) = d[s, i] boundary wrap;
}
kernel folded_states(d: State[n, m], f: State[700], out x: State[n, m], out y: State[700]) {
	solve x[i, s] in State(4 * x[i, s].p - x[i-1, s].p - x[i+1, s].p + x[i, s].q, 3 * x[i, s].q - x[i-1, s].p) = d[i, s] boundary wrap;
	solve y[i] in State(4 * y[i].p - y[i-1].q - y[i+1].p + y[i].q, 3 * y[i].q - y[i-1].p) = f[i] boundary wrap;
}
// rows are even more than their images where these meet: the greatest coefficients are exchanged
kernel folded_exchanged(d: f64[n], out x: f64[n]) {
	solve x[i] in (i % 2 == 1 ? 10 : 1) * (4 * x[i] + 2 * x[i-1] - x[i+2]) = d[i] boundary wrap;
}
kernel folded_zero(b: f32[m, n], d: f32[m, n], out x: f32[m, n]) {
	solve x[s, i] in b[s, i] * (8 * x[s, i] + x[s, i-2] - x[s, i-1] + x[s, i+1] + x[s, i+2]) = d[s, i] boundary wrap;
}
test rings_with_neighbours_two_away {
	folded_rows(a = [[1]], d = [[1]]) -> x = [[0.2]] within 0.000001;
	folded_rows(a = [[1, -1]], d = [[1, 2]]) -> x = [[0.2, 0.666666667]] within 0.000001;
	folded_rows(a = [[1, -1, 0]], d = [[1, 2, 3]]) -> x = [[0.407960199, 0.537313433, 0.84079602]] within 0.000001;
	folded_rows(a = [[1, -1, 0, 2, 1]], d = [[1, 2, 3, 4, 5]])
		-> x = [[0.446430325, 0.576647353, 0.959147599, 0.54522243, 0.882156535]] within 0.000001;
	folded_columns(k = [1, -1, 2, 0.5], d = [[1], [2], [3], [4]])
		-> x = [[0.194868114], [0.09205096], [0.132783061], [1.11501884]] within 0.00000001;
	folded_exchanged(d = [5, 50, 5, 50, 5, 50]) -> x = [1, 1, 1, 1, 1, 1] within 0.00000001;
	folded_zero(b = [[0, 0, 0], [1, 1, 1]], d = [[1, 1, 1], [10, 10, 10]]) -> status pivot;
	folded_zero(b = [[1, 1, 1]], d = [[10, 10, 10]]) -> x = [[1, 1, 1]] within 0.000001;
}
test rings_of_structs {
	folded_phases(k = [1], d = [[Phase(1, 2)]]) -> x = [[Phase(0.117647059, 0.529411765)]] within 0.000001;
	folded_phases(k = [1, -2], d = [[Phase(1, 2), Phase(3, 4)]])
		-> x = [[Phase(0.117647059, 0.529411765), Phase(0.700280112, 1.08683473)]] within 0.000001;
	folded_phases(k = [1, -2, 0.5], d = [[Phase(1, 2), Phase(3, 4), Phase(5, 6)]])
		-> x = [[Phase(-0.0679522498, 0.466483012), Phase(0.947658402, 1.05050505), Phase(0.8815427, 1.85583104)]] within 0.000001;
	folded_states(d = [[State(1, 2)], [State(3, 4)], [State(5, 6)]], f = State(0, 0))
		-> x = [[State(0.429925525, 0.993229519)], [State(0.73324306, 1.47664184)], [State(0.979688558, 2.24441435)]]
		within 0.00000001;
}
