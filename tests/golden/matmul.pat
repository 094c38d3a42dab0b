// matmul.pat - a layer of a network: a product by tiles, with the bias and the activation in its kernel.
kernel layer(x: f32[n, l], w: f32[m, l], bias: f32[m], out y: f32[n, m])
{
	let p: f32[n, m];
	product: matmul p[i, j] = sum[k](x[i, k] * w[j, k]);
	map y[i, j] = max(p[i, j] + bias[j], 0);
}

schedule layer for cuda { product: tile 64 x 64; }
schedule layer for hip { product: tile 64 x 64; }
