// Cells of maps, stencils, gathers and transposes whose reads only a condition keeps inside their arrays.
kernel back(x: f32[n], out y: f32[n], out z: f32[n]) {
	map y[i] = x[i];
	stencil z[i] = i > 0 ? x[i-1] : 0;
}
kernel ahead(x: f32[n], out y: f32[n]) {
	stencil y[i] = i + 1 < n ? x[i+1] : 0;
}
kernel masked(x: f32[n], inout y: f32[n]) {
	stencil y[i] = x[i-1] where i > 0;
}
kernel masked_far(x: f32[n], inout y: f32[n]) {
	stencil y[i] = x[i-7] + x[i+9] where i > 6 && i + 9 < n;
}
kernel vectors(x: u8[n], w: u8[p], out y: u8[n]) {
	map y[i] = i < p ? x[i] + w[i] : x[i];
}
kernel vectors_masked(x: u8[n], w: u8[p], inout y: u8[n]) {
	map y[i] = x[i] + w[i] where i < p;
}
kernel shorter(x: f32[p], inout y: f32[n]) {
	map y[i] = i < p ? x[i] : 0;
}
kernel both(x: f32[p], z: f32[q], out y: f32[n]) {
	map y[i] = (i < p ? x[i] : 0) + (i < q ? z[i] : 1);
}
kernel gaps(x: f32[p, m], out y: f32[n, m]) {
	map y[i, j] = i < p ? x[i, j] : 2;
}
kernel narrow(x: f32[n, p], out y: f32[n, m]) {
	map y[i, j] = j < p ? x[i, j] : 2;
}
kernel narrow_masked(x: f32[n, p], inout y: f32[n, m]) {
	map y[i, j] = x[i, j] where j < p;
}
kernel row(x: f32[p], out y: f32[n, m]) {
	map y[i, j] = i < p ? x[i] : 2;
}
kernel five(x: f32[n, m], out y: f32[n, m]) {
	stencil y[i, j] = (i > 0 ? x[i-1, j] : 0) + (i + 1 < n ? x[i+1, j] : 0) + (j > 0 ? x[i, j-1] : 0) + (j + 1 < m ? x[i, j+1] : 0) + x[i, j];
}
kernel five_masked(x: f32[n, m], inout y: f32[n, m]) {
	stencil y[i, j] = x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1] where i > 0 && i + 1 < n && j > 0 && j + 1 < m;
}
kernel five_for(x: f32[n, m], w: f32[p, q], inout y: f32[n, m]) {
	stencil y[i, j] = x[i-1, j] + x[i, j] * (i < p && j < q ? w[i, j] : 1) for i in 1..n, j in 0..m;
}
kernel clamped(x: f32[n, m], w: f32[p, m], out y: f32[n, m]) {
	stencil y[i, j] = x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1] + (i < p ? w[i, j] : 1) boundary clamp;
}
kernel wide(x: f32[n, m], out y: f32[n, m]) {
	stencil y[i, j] = sum[a in -2..3, b in -2..3](i + a >= 0 && i + a < n && j + b >= 0 && j + b < m ? x[i+a, j+b] : 0);
}
kernel wide_masked(x: f32[n, m], out y: f32[n, m]) {
	stencil y[i, j] = sum[a in -2..3, b in -2..3 where i + a >= 0 && i + a < n && j + b >= 0 && j + b < m](x[i+a, j+b]);
}
kernel space(x: f32[l, n, m], out y: f32[l, n, m]) {
	stencil y[k, i, j] = x[k, i, j] + (k > 0 ? x[k-1, i, j] : 0) + (k + 1 < l ? x[k+1, i, j] : 0);
}
kernel pinned(x: f32[n, m], out y: f32[n, m], out z: f32[n, m], inout w: f32[n, m]) {
	one: stencil y[i, j] = (i > 0 ? x[i-1, j] : 0) + (j + 1 < m ? x[i, j+1] : 0) + x[i, j];
	two: stencil z[i, j] = (i > 0 ? x[i-1, j] : 0) + (j + 1 < m ? x[i, j+1] : 0) + x[i, j];
	three: stencil w[i, j] = x[i-1, j] + x[i, j+1] where i > 0 && j + 1 < m;
}
schedule pinned for cuda { one: stage shared; two: stage registers; three: stage shared; }
schedule pinned for hip { one: stage shared; two: stage registers; three: stage shared; }
kernel coarse(x: f32[p], out y: f32[n], z: f32[n], inout w: f32[n]) {
	one: map y[i] = i < p ? x[i] : 0;
	two: map w[i] = x[i] + z[i] where i < p;
}
schedule coarse for cuda { one: vector 4; two: vector 4; }
schedule coarse for hip { one: vector 2; two: vector 4; }
kernel gathers(x: f32[n], at: i32[m], out y: f32[m], out z: f32[m], inout w: f32[m]) {
	gather y[i] = at[i] >= 0 && at[i] < n ? x[at[i]] : 0;
	gather z[i] = i > 0 && at[i-1] >= 0 && at[i-1] < n ? x[at[i-1]] : 0;
	gather w[i] = x[at[i]] where at[i] >= 0 && at[i] < n;
}
kernel embeds(x: f32[n, l], at: i32[m], out y: f32[m, l], out z: f32[m, l]) {
	gather y[i, j] = at[i] >= 0 && at[i] < n ? x[at[i], j] : 0;
	gather z[i, j] = i + 1 < m && at[i+1] >= 0 && at[i+1] < n ? x[at[i+1], j] : 0;
}
kernel embeds_part(x: f32[n, p], at: i32[m], out y: f32[m, l]) {
	gather y[i, j] = j < p ? x[at[i], j] : 0 drop;
}
kernel reversed(x: f32[n], out y: f32[m]) {
	gather y[i] = i < n ? x[n - 1 - i] : 0;
}
kernel strided(x: f32[n], out y: f32[m]) {
	gather y[i] = 2 * i + 1 < n ? x[2 * i] - x[2 * i + 1] : 0;
}
kernel halved(x: f32[n], out y: f32[m]) {
	gather y[i] = i / 2 < n ? x[i / 2] : 0;
}
kernel turned(x: f32[p, q], out y: f32[m, n], inout w: f32[m, n]) {
	transpose y[j, i] = i < p && j < q ? x[i, j] : 0;
		transpose w[j, i] = x[i, j] where i < p && j < q;
}
kernel turned_row(x: f32[n, m], v: f32[p], u: f32[q], out y: f32[m, n]) {
	transpose y[j, i] = x[i, j] + (i < p ? v[i] : 0) + (j < q ? u[j] : 0);
}
kernel fused(x: f32[p], out y: f32[n]) {
	let z: f32[p];
	map z[i] = x[i] * 2;
	stencil y[i] = i < p && i > 0 ? z[i-1] + z[i] : 0;
}
kernel fused_rows(x: f32[p, m], out y: f32[n]) {
	let z: f32[p, m];
	map z[i, j] = x[i, j] * 2;
	reduce y[i] = i < p ? sum[j](z[i, j]) : 0;
}
kernel fused_rows_before(x: f32[n, m], out y: f32[n]) {
	let z: f32[n, m];
	map z[i, j] = x[i, j] * 2;
	reduce y[i] = i > 0 ? sum[j](z[i-1, j]) : 0;
}
kernel fused_sum(x: f32[p], w: f32[n], out y: f32) {
	let z: f32[n];
	map z[i] = i < p ? x[i] : 0;
	reduce y = sum[i](i + 1 < n ? z[i+1] * w[i] : 0);
}
struct V { a: f32, b: f32, c: f32 }
kernel structs(x: V[n], out y: V[n]) {
	stencil y[i] = i > 0 ? x[i-1] : V(0, 1, 2);
}
kernel structs_masked(x: V[p], inout y: V[n]) {
	map y[i] = x[i] where i < p;
}
kernel structs_soa(x: V[p] layout soa, inout y: V[n] layout soa) {
	map y[i].a = i < p ? x[i].b : 0;
	map y[i].c = x[i].c where i < p;
}
kernel folds_in_cells(x: f32[n, 4], out y: f32[m]) {
	map y[i] = i < n ? 1 : 2;
	reduce y[i] = i < n ? sum[k](x[i, k]) : 0;
}
