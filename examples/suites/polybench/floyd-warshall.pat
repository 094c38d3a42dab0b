// The lengths of the shortest paths between all nodes; what goes through k is there after pass k
kernel floyd_warshall(inout path: i32[n, n]) {
	repeat k < n {
		map path[i, j] = min(path[i, j], path[i, k] + path[k, j]) where i != k && j != k;
	}
}
