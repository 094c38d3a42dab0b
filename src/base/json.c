/* json.c - writes strings as JSON, whatever bytes they have. */
#include "source.h"

#include <string.h>

static void put_escaped(FILE *out, int32_t c)
{
	if (c >= 0x10000)                    /* as two halves */
		fprintf(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (c >> 10)),
		        (unsigned)(0xdc00 + (c & 0x3ff)));
	else
		fprintf(out, "\\u%04x", (unsigned)c);
}

void text_json(FILE *out, const char *s)
{
	putc('"', out);
	for (const char *end = s + strlen(s); s < end; ) {
		int32_t c;
		const int n = decode(s, (size_t)(end - s), &c);
		if (c < 0)
			fputs("\\ufffd", out);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", (int)c);
		else if (c == '\n' || c == '\t')
			fputs(c == '\n' ? "\\n" : "\\t", out);
		else if (c < ' ' || is_invisible(c) || is_bidi(c))
			put_escaped(out, c);
		else
			fwrite(s, 1, (size_t)n, out);
		s += n;
	}
	putc('"', out);
}
