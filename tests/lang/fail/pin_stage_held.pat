struct P { x, y: f32 }
kernel f(a: P[n, m], out b: f32[n, m]) {
	step: stencil b[i, j] = a[i-1, j].x + a[i+1, j].y boundary clamp;
}
schedule f for cuda { step: stage registers; }
