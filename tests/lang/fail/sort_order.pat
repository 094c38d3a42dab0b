struct P { x: f32 }
fn less(a: P, b: P) -> bool = a.x < b.x;
fn three(a: f32, b: f32, c: f32) -> bool = a < b;
fn number(a: f32, b: f32) -> i32 = 0;
op join(a: f32, b: f32) -> f32 = a + b;

kernel orders(inout k: f32[n], inout p: P[n], inout b: bool[n]) {
	sort p;
	sort b by >;
	sort p by <;
	sort p by nobody;
	sort k by less;
	sort k by three;
	sort k by number;
	sort k by join;
	sort k by 3;
	sort p by P;
}
