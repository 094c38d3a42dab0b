// recurrences along the last axis: constant weights and weights of each cell, from both ends, order 2, many rows, cut;
// of few cells, and of tiles of a vector a thread
kernel constant(x: f32[n], out y: f32[n]) { scan y[i] = 0.5 * y[i-1] + x[i]; }
kernel weighted(x: f32[n], b: f32[n], out y: f32[n]) { scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = +; }
kernel right(x: f32[n], b: f32[n], out y: f32[n]) { scan y[i] = (y[i+1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = + from 2; }
kernel tropical(x: i32[n], b: i32[n], out y: i32[n]) { scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = +, ◇ = max; }
kernel batched(x: f32[m, n], b: f32[n], out y: f32[m, n]) { scan y[i, j] = (y[i, j-1] ○ b[j]) ◇ x[i, j] using ○ = *, ◇ = +; }
kernel second(x: f64[n], out y: f64[n]) { scan y[i] = 0.5 * y[i-1] - 0.25 * y[i-2] + x[i]; }
kernel headed(x: f32[n], h: bool[n], out y: f32[n]) { scan y[i] = 0.5 * y[i-1] + x[i] heads h; }
kernel tiles(bind: u8[n], x: f32[40*n+5], b: f32[40*n+5], out y: f32[40*n+5]) {
	s: scan y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = +;
}
kernel tiles_right(bind: u8[n], x: i32[40*n+5], b: i32[40*n+5], out y: i32[40*n+5]) {
	s: scan y[i] = (y[i+1] ○ b[i]) ◇ x[i] using ○ = +, ◇ = max;
}
kernel tiles_rows(bind: u8[n], x: f32[m, 40*n+5], w: f32[m], out y: f32[m, 40*n+5]) {
	s: scan y[i, j] = 0.5 * y[i, j-1] + x[i, j] from w[i];
}
kernel tiles_second(bind: u8[n], x: f64[40*n+5], k: u8[40*n+5], out y: f64[40*n+5]) {
	s: scan y[i] = 0.5 * y[i-1] - 0.25 * y[i-2] + x[i] keys k;
}
schedule tiles for cuda { s: coarsen 1; }
schedule tiles for hip { s: coarsen 1; }
schedule tiles_right for cuda { s: coarsen 1, vector 2; }
schedule tiles_right for hip { s: coarsen 1, vector 2; }
schedule tiles_rows for cuda { s: coarsen 1; }
schedule tiles_rows for hip { s: coarsen 1; }
schedule tiles_second for cuda { s: coarsen 1; }
schedule tiles_second for hip { s: coarsen 1; }
