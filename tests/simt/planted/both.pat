// pairs computed once for both of their results: two tiles and a bit, a whole number of tiles, and
// one that meets itself.
kernel forces(x: f32[n+1090], bind: u8[n], out f: f32[n+1090])
{
	all: pairs f[i] = sum[j where i != j]((x[j] - x[i]) / (1 + abs(x[j] - x[i])));
}
kernel squares(x: i32[1024], out f: i32[1024], out g: i32[1024])
{
	all: pairs f[i] = sum[j](x[i] * x[j]), g[i] = min[j where i != j](abs(x[i] - x[j]));
}
schedule forces for cuda { all: symmetric; }
schedule forces for hip { all: symmetric; }
schedule squares for cuda { all: symmetric; }
schedule squares for hip { all: symmetric; }
