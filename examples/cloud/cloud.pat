// cloud.pat - a point cloud from a scanner in the air: what stands on the ground is kept, the
// ground is put aside.

struct Point { x, y, z: f32, light: u8 }

// How high a point is over the plane z = a x + b y + c.
fn over(p: Point, a: f32, b: f32, c: f32) -> f32 = p.z - (a * p.x + b * p.y + c);

// The plane is fitted to all points, then again and again to those that lie below it or just above
// (least squares), until it is the ground; points more than `clear` above it are kept, the others
// are in `ground`.
kernel sift(cloud: Point[n], clear: f32, passes: i64, out kept: Point[n], out ground: Point[n],
            out count: i64,
            out a: f32, out b: f32, out c: f32, out highest: f32, out middle: f32)
{
	let near: Point[n];
	let m: i64;
	let sx: f64;
	let sy: f64;
	let sz: f64;
	let sxx: f64;
	let sxy: f64;
	let syy: f64;
	let sxz: f64;
	let syz: f64;

	map a = 0, b = 0, c = inf;
	repeat pass < passes {
		lower: compact near, m = cloud[i] where over(cloud[i], a, b, c) < 0.5 * clear;
		moments: reduce
			sx = sum[i in 0..m](f64(near[i].x)), sy = sum[i in 0..m](f64(near[i].y)),
			sz = sum[i in 0..m](f64(near[i].z)),
				sxx = sum[i in 0..m](f64(near[i].x) * near[i].x),
			sxy = sum[i in 0..m](f64(near[i].x) * near[i].y),
				syy = sum[i in 0..m](f64(near[i].y) * near[i].y),
			sxz = sum[i in 0..m](f64(near[i].x) * near[i].z),
				syz = sum[i in 0..m](f64(near[i].y) * near[i].z);
		plane: map
			a = f32(((sxz * m - sx * sz) * (syy * m - sy * sy)
				- (syz * m - sy * sz) * (sxy * m - sx * sy))
			      / ((sxx * m - sx * sx) * (syy * m - sy * sy)
			          - (sxy * m - sx * sy) * (sxy * m - sx * sy))),
			b = f32(((syz * m - sy * sz) * (sxx * m - sx * sx)
				- (sxz * m - sx * sz) * (sxy * m - sx * sy))
			      / ((sxx * m - sx * sx) * (syy * m - sy * sy)
			          - (sxy * m - sx * sy) * (sxy * m - sx * sy))),
			c = f32((sz - a * sx - b * sy) / m);
	}
	split: compact kept, count = cloud[i] where over(cloud[i], a, b, c) > clear else ground;
	tops: reduce highest = max[i in 0..count](over(kept[i], a, b, c)),
	             middle = f32(sum[i in 0..count](f64(over(kept[i], a, b, c))) / max(count, 1));
}
