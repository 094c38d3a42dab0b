// ldiff.pat - the longest common subsequence of two texts (Wagner and Fischer 1974): how many lines
// stay, and which.

// What a script of changes does where line i and line j are next.
const KEEP: u8 = 0;
const DELETE: u8 = 1;
const INSERT: u8 = 2;

// A line is a number, the same for the same line.  The table is filled from the ends of the texts,
// so that its steps lead from their beginnings: longest[i, j] is what is common to the lines from i
// on and those from j on.
kernel lcs(old: i32[m], new: i32[n], out step: u8[m, n], out common: i32)
{
	let longest: i32[m, n];

	table: wavefront
		longest[i, j] = old[i] == new[j] ? longest[i+1, j+1] + 1
			: max(longest[i+1, j], longest[i, j+1]),
		step[i, j] = old[i] == new[j] ? KEEP : longest[i+1, j] >= longest[i, j+1] ? DELETE
			: INSERT
		boundary 0 from right from below;
	map common = m > 0 && n > 0 ? longest[0, 0] : 0;
}
