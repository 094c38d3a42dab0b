kernel smooth(x: f32[n], out y: f32[n]) { step: stencil y[i] = x[i-1] boundary clamp; }
schedule smooth for cuda { step: vectr 4; }
schedule smooth for cpu { step: coarsn 2; }
