// The temperatures of a stack of chips; at the sides no heat flows
kernel hotspot3D(steps: i64, cc: f32, cw: f32, cn: f32, ct: f32, stepDivCap: f32, amb: f32,
                 pIn: f32[nz, ny, nx],
                 inout tIn: f32[nz, ny, nx]) {
	let tOut: f32[nz, ny, nx];
	repeat t < steps {
		stencil tOut[z, y, x] = cc * tIn[z, y, x] + cw * tIn[z, y, x-1]
			+ cw * tIn[z, y, x+1] + cn * tIn[z, y-1, x]
			+ cn * tIn[z, y+1, x] + ct * tIn[z-1, y, x] + ct * tIn[z+1, y, x]
				+ stepDivCap * pIn[z, y, x] + ct * amb
			boundary clamp;
		swap tIn, tOut;
	}
}
