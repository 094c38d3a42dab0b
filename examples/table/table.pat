// table.pat - where the fields of a CSV file end.  A comma or the end of a line ends one unless it
// stands in quotes, and what stands in quotes only all the bytes before can tell: they run a
// machine of four states.
//
//   0  in a field without quotes, or at its beginning
//   1  in quotes
//   2  behind a quote in quotes: it ends them, or the next byte, a quote too, makes the two of them one
//   3  wrong: something follows the closing quote
//
// A byte is a map from states to states, and so is a text: those of its bytes one after the other.
// Maps compose in any grouping, which is all that a scan asks.  One fits a byte: bits 2 s and 2 s +
// 1 are what state s becomes.

const COMMA: u8 = 44;
const QUOTE: u8 = 34;
const LINE: u8 = 10;

fn becomes(map: u8, state: u8) -> u8 = (map >> 2 * state) & 3;
op then(f: u8, g: u8) -> u8 = becomes(g, becomes(f, 0)) | becomes(g, becomes(f, 1)) << 2
                            | becomes(g, becomes(f, 2)) << 4 | becomes(g, becomes(f, 3)) << 6
	identity 0xe4, associative;

fn ends(byte: u8) -> bool = byte == COMMA || byte == LINE;
fn step(byte: u8) -> u8 = byte == QUOTE ? 0xd9    // 0 1 2 3 -> 1 2 1 3
                        : ends(byte) ? 0x04       //         -> 0 1 0 0
                        : 0xf4;                   //         -> 0 1 3 3

// The states behind each byte; where the fields end, their number; lines, bytes in quotes, wrong
// bytes.
kernel fields(text: u8[n], out state: u8[n], out end: i64[most], out count: i64,
              out lines: i64, out quoted: i64, out wrong: i64)
{
	let machine: u8[n];

	states: scan machine[i] = then(step(text[i]));
	map state[i] = becomes(machine[i], 0);
	cut: compact end, count = i where state[i] == 0 && ends(text[i]);
	reduce lines = count[i](state[i] == 0 && text[i] == LINE), quoted = count[i](state[i] == 1),
	       wrong = count[i](state[i] == 3);
}
