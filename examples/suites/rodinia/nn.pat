// The k records nearest to a place, and how far they are
kernel nn(k: i32, lat: f32, lng: f32, locations: f32[n, 2], inout distance: f32[n],
          inout nearest: i32[n]) {
	require k >= 0;
	map distance[i] = sqrt((lat - locations[i, 0]) * (lat - locations[i, 0])
		+ (lng - locations[i, 1]) * (lng - locations[i, 1]));
	sort distance into nearest stable first k;
}
