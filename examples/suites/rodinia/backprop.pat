// A network of one hidden layer learns one example: forwards, the errors back, the weights adjusted with momentum.
// Unit 0 of each layer is the threshold; w1[k, j] leads from input k to hidden unit j.
const ETA: f32 = 0.3;
const MOMENTUM: f32 = 0.3;
fn squash(x: f32) -> f32 = 1 / (1 + exp(-x));

kernel backprop(input: f32[in_+1], target: f32[out_+1], inout w1: f32[in_+1, hid+1],
                inout w2: f32[hid+1, out_+1],
                inout old1: f32[in_+1, hid+1], inout old2: f32[hid+1, out_+1],
                out output: f32[out_+1],
                out out_err: f32, out hid_err: f32) {
	let hidden: f32[hid+1];
	let delta_h: f32[hid+1];
	let delta_o: f32[out_+1];
	map hidden[0] = 1;
	reduce hidden[j] = squash(sum[k](w1[k, j] * input[k])) for j in 1..hid+1;
	map output[0] = 1;
	reduce output[j] = squash(sum[k](w2[k, j] * hidden[k])) for j in 1..out_+1;

	map delta_o[j] = output[j] * (1 - output[j]) * (target[j] - output[j]) for j in 1..out_+1;
	reduce out_err = sum[j in 1..out_+1](abs(delta_o[j]));
	reduce delta_h[j] = hidden[j] * (1 - hidden[j]) * sum[k in 1..out_+1](delta_o[k] * w2[j, k])
		for j in 1..hid+1;
	reduce hid_err = sum[j in 1..hid+1](abs(delta_h[j]));

	map old2[k, j] = ETA * delta_o[j] * hidden[k] + MOMENTUM * old2[k, j],
		w2[k, j] += old2[k, j]
		for k in 0..hid+1, j in 1..out_+1;
	map old1[k, j] = ETA * delta_h[j] * input[k] + MOMENTUM * old1[k, j], w1[k, j] += old1[k, j]
		for k in 0..in_+1, j in 1..hid+1;
}
