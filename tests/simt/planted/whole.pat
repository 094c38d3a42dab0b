// what a map of structs does: they come to shared memory whole, and go.
struct P { x, y, z: f32 }
kernel whole(p: P[n], q: P[n], out r: P[n])
{
	map r[i] = P(p[i].x + q[i].x, p[i].y, q[i].z);
}
