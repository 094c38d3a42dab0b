kernel f(x: f32[n, m], out y: f32[n, m]) {
	let t: f32[n, m];
	a: map t[i, j] = x[i, j];
	gather y[i, j] = t[n - 1 - i, j];
}
schedule f for cuda { a: layout; }
schedule f for cuda { a: layout diagonal; }
schedule f for cuda { a: layout row col; }
schedule f for cuda { a: layout soa aos; }
schedule f for cuda { a: layout aosoa; }
schedule f for cuda { a: layout aosoa(0); }
schedule f for cuda { a: layout aosoa(4, 4); }
schedule f for cuda { a: layout row(8); }
schedule f for cuda { a: no layout; }
schedule f for cuda { a: layout tiled(8); }
schedule f for cuda { a: layout tiled(8, 0); }
schedule f for cuda { a: layout tiled(8, 8) soa; }
schedule f for cuda { a: layout col tiled(8, 8); }
