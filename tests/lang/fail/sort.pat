struct P { x: f32 }
const T: i32[3] = [1, 2, 3];

kernel arrays(inout k: f32[n], inout v: f32[m], x: f32[n], out o: f32[n], inout s: f32, inout a: f32[n, m], inout p: P[n]) {
	sort k[i];
	sort s;
	sort T;
	sort nothing;
	sort x;
	sort o;
	sort a;
	sort k with v;
	sort k with x;
	sort k with k;
	sort k with p, p;
	sort k with p.x;
	sort k, p;
	sort k = p;
	segsort k with p;
	segsort a with k;
	sort k segments v;
	segsort k segments a;
	segsort k segments 32;
	segsort k segments s;
}
