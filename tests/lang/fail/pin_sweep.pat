kernel f(x: f32[n], p: f32[n, m], out y: f32[n], out a: f32[n, m]) {
	plain: map y[i] = x[i];
	wave: wavefront a[i, j] = p[i, j] + a[i-1, j] + a[i, j-1] boundary 0;
}
schedule f for cuda { plain: sweep diagonal; }
schedule f for hip { wave: sweep sideways; }
schedule f for cpu { wave: sweep; }
