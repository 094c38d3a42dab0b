/* special_pairs.h - the other header of extern.pat: functions of structs. */
static inline PATC_DEVICE Span ordered(Span s, float shift)
{
	Span r;
	r.lo = (s.lo < s.hi ? s.lo : s.hi) + shift;
	r.hi = (s.lo < s.hi ? s.hi : s.lo) + shift;
	for (int k = 0; k < 3; k++)
		r.tag[k] = s.tag[2 - k];
	return r;
}

static inline PATC_DEVICE float width_of(Span s)
{
	return s.hi - s.lo;
}
