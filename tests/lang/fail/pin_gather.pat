kernel f(k: i32[n], x: f32[n], inout y: f32[m], inout z: f32[n]) {
	data: scatter y[k[i]] += x[i];
	own: map z[i] = x[i];
	fine: scatter z[i] += x[i];
}
schedule f for cuda { data: gather; own: gather; fine: gather; }
