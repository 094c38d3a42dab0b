// The temperatures of a chip from the power of its parts; at the edges no heat flows
kernel hotspot(steps: i64, Rx_1: f32, Ry_1: f32, Rz_1: f32, Cap_1: f32, power: f32[row, col],
               inout temp: f32[row, col]) {
	let next: f32[row, col];
	repeat t < steps {
		stencil next[r, c] = temp[r, c] + Cap_1 * (power[r, c]
			+ (temp[r+1, c] + temp[r-1, c] - 2 * temp[r, c]) * Ry_1
			+ (temp[r, c+1] + temp[r, c-1] - 2 * temp[r, c]) * Rx_1
			+ (80 - temp[r, c]) * Rz_1) boundary clamp;
		swap temp, next;
	}
}
