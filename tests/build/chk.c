/* chk.c - what Debian's static libraries call of glibc, and musl lacks: functions of
 * _FORTIFY_SOURCE, here without their checks.  tests/ports links it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PRINTS(head, call) \
	head \
	{ \
		va_list args; \
		va_start(args, format); \
		int length = call; \
		va_end(args); \
		return length; \
	}
PRINTS(int __printf_chk(int flag, const char *format, ...), vprintf(format, args))
PRINTS(int __fprintf_chk(FILE *out, int flag, const char *format, ...), vfprintf(out, format, args))
PRINTS(int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, ...),
       vsnprintf(to, n, format, args))

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args)
{
	return vsprintf(to, format, args);
}

int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, va_list args)
{
	return vsnprintf(to, n, format, args);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	return strncpy(to, from, n);
}
