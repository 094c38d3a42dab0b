// Whether a centre at point x pays: points that are nearer to it than to theirs change; a centre whose points do not lose
// more than its price z if they change is closed.  If all that is a gain, it is done.
kernel pgain(x: i64, z: f32, coord: f32[num, dim], weight: f32[num], inout cost: f32[num],
             inout assign: i32[num],
             inout is_center: bool[num], out gain: f32) {
	require 0 <= x && x < num;
	let d: f32[num];
	let lower: f32[num];
	let moves: bool[num];
	reduce d[i] = weight[i] * sum[k]((coord[i, k] - coord[x, k]) * (coord[i, k] - coord[x, k]));
	map lower[i] = z;
	scatter lower[assign[i]] += cost[i] - d[i] where d[i] >= cost[i];
	reduce gain = sum[i](max(cost[i] - d[i], 0) + (is_center[i] ? max(lower[i], 0) : 0)) - z;
	if gain > 0 {
		gather moves[i] = d[i] < cost[i] || lower[assign[i]] > 0;
		map cost[i] = d[i], assign[i] = i32(x) where moves[i];
		map is_center[i] = i == x || (is_center[i] && lower[i] <= 0);
	}
}
