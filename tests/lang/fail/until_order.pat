kernel a(inout y: f32[n], out s: f32) { reduce s = max[i](y[i]); repeat until s < 1 at most 100 every 5 { map y[i] *= 0.5; reduce s = max[i](y[i]); } }
kernel b(inout y: f32[n], out s: f32) { reduce s = max[i](y[i]); repeat until s < 1 at most(2 * n) every 5 { map y[i] *= 0.5; reduce s = max[i](y[i]); } }
