// patc --target=cuda
// Which loops are one launch of all blocks, and which kernels are in the way.
kernel taken(tol: f32, inout x: f32[n], out top: f32) {
	repeat until top < tol at most 100 { map x[i] = x[i] / 2; reduce top = max[i](x[i]); }
}
kernel products(tol: f32, a: f32[n, n], inout b: f32[n, n], out top: f32) {
	let c: f32[n, n];
	repeat until top < tol at most 100 {
		matmul c[i, j] = sum[k](a[i, k] * b[k, j]);
		reduce top = max[i, j](abs(c[i, j]));
		swap b, c;
	}
}
kernel inside(tol: f32, k: i32, inout a: f32[n], inout b: f32[n], out top: f32) {
	repeat until top < tol at most 100 {
		repeat t < k { map b[i] = a[i] / 2; swap a, b; }
		reduce top = max[i](a[i]);
	}
}
kernel scanned(tol: f32, inout a: f32[n], inout b: f32[n], out top: f32) {
	repeat until top < tol at most 100 {
		scan b[i] = sum(a[i]);
		map a[i] = b[i] / 2;
		reduce top = max[i](a[i]);
	}
}
kernel counted(least: i32, key: i32[m], inout a: i32[n], out top: i32) {
	let bin: i32[4000];
	let more: i32[4000];
	repeat until top < least at most 100 {
		histogram bin[key[i]] += 1 drop;
		histogram more[key[i] / 2] += 1 drop;
		reduce top = max[i in 0..4000](bin[i] + more[i]);
	}
}
kernel sizes(tol: f32, row: i32[n+1], x: f32[m], inout y: f32[n], out top: f32) {
	repeat until top < tol at most 100 {
		reduce y[r] = sum[e in row[r]..row[r+1]](x[e]) + y[r];
		reduce top = max[i](y[i]);
	}
}
kernel shared(tol: f64, inout a: f64[n, m], inout b: f64[n, m], inout c: f64[n, m], out top: f64) {
	repeat until top < tol at most 100 {
		stencil b[i, j] = sum[p in -3..4, q in -3..4](a[i + p, j + q]) boundary clamp;
		stencil c[i, j] = sum[p in -3..4, q in -3..4](b[i + p, j + q]) boundary clamp;
		stencil a[i, j] = sum[p in -2..3, q in -2..3](c[i + p, j + q]) boundary clamp;
		reduce top = max[i, j](a[i, j]);
	}
}
schedule shared for cuda { stage shared, tile 32 x 64; }
struct Body { x, y, z, w, u, v, q, r: f32 }
kernel bodies(tol: f32, inout a: Body[n], inout b: Body[n], out s: f32) {
	repeat until s <= tol at most 100 {
		map b[i] = Body(a[i].y * 0.5, a[i].x, a[i].z, a[i].w + 1, a[i].u, a[i].r, a[i].v, a[i].q);
		reduce s = sum[i](abs(b[i].y));
		swap a, b;
	}
}
