kernel cells(inout k: f32[n], h: i64[n], off: f32[s], j: i32) {
	sort k where k[0] > 0;
	sort k for i in 0..j;
	sort k first h[0];
	sort k first 1.5;
	sort k segments h;
	sort k stable unstable;
	sort k else h;
	segsort k segments off;
	segsort k segments h of 3;
	segsort k segments of 0;
	segsort k segments of h;
	segsort k segments of 2 of 3;
	segsort k keys h;
}
kernel perms(key: f32[n], inout k: f32[n], inout v: f32[n], inout small: u16[n], inout f: f32[n], inout other: i32[m], at: i32[n], inout i: i32[n]) {
	sort key into small;
	sort key into f;
	sort key into other;
	sort key into at;
	sort i into i;
	sort k with v into i;
	segsort i segments i;
}
