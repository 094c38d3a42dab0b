// Items meet in cells: one operation of the machine, a word put back if it is still what it was, none where none meet.
kernel deposit(at: i32[n], x: f32[n], w: u8[n], inout y: f32[m], inout top: u8[m],
               inout last: f32[m]) {
	scatter y[at[i]] += x[i], top[at[i]] max= w[i];
	scatter last[at[i]] = x[i] unique drop;
}
kernel in_order(at: i32[n], x: f32[n], inout y: f32[m]) {
	scatter y[at[i]] += x[i] strict;
}
