struct Body { x: f32, y: f32, m: f32 }
kernel pairs(p: Body[n], q: f32[m], out u: f32[n], out v: f64[n], inout w: f32[n], inout s: f32) {
	pairs u[i] = sum[j](p[j].m * abs(p[i].x - p[j].x));
	reduce v[i] = max[j where i != j](f64(q[j]) * p[i].y) + min[j](f64(q[j]) - p[i].x);
	kept: pairs w[i] = w[i] + sum[j](q[j] * p[i].x);
	plain: pairs w[i] = w[i] + sum[j](q[j] * p[i].x);
	reduce s = s + sum[j](q[j]);
}
schedule pairs for cuda { kept: stage shared; plain: stage l1; }
