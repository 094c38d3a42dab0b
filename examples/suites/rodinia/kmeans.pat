// Clusters: every point goes to the nearest centre, and centres go to the middle of their points, until few points change
kernel kmeans(threshold: f64, feature: f32[npoints, nfeatures],
              inout centre: f32[nclusters, nfeatures],
              out membership: i32[npoints]) {
	let d: f32[npoints, nclusters];
	let near: i64[npoints];
	let total: f32[nclusters, nfeatures];
	let members: i32[nclusters];
	let changed: i64;
	map membership[p] = -1;
	repeat until f64(changed) <= threshold at most 500 {
		matmul d[p, c] = sum[f]((feature[p, f] - centre[c, f])
			* (feature[p, f] - centre[c, f]));
		reduce near[p] = argmin[c](d[p, c]);
		reduce changed = count[p](near[p] != i64(membership[p]));
		map membership[p] = i32(near[p]);
		map total[c, f] = 0;
		map members[c] = 0;
		histogram total[membership[p], f] += feature[p, f];
		histogram members[membership[p]] += 1;
		map centre[c, f] = total[c, f] / f32(members[c]) where members[c] > 0;
	}
}
