/* helper.c - the helper table: look up.  A helper may have a text for one target (TARGET.h) that
 * goes before the common one. */
#include "helper.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static bool file_serves(const char *file, const struct target *target)
{
	bool gpu = strcmp(file, "gpu_host.h") == 0 || strcmp(file, "gpu_atomic.h") == 0
	           || strcmp(file, "gpu_divide.h") == 0;
	bool every = strcmp(file, "common.h") == 0 || strcmp(file, "host.h") == 0;
	return every || (gpu && target->gpu);
}

/* The row, or NULL. */
static const struct rt_row *row_search(const char *name, const struct target *target)
{
	const char *own = str_print("%s.h", target->name),
		   *atomic = str_print("%s_atomic.h", target->name);
	const struct rt_row *common = NULL;
	for (int i = 0; rt_rows[i].file; i++) {
		if (strcmp(rt_rows[i].name, name) != 0)
			continue;
		if (strcmp(rt_rows[i].file, own) == 0 || strcmp(rt_rows[i].file, atomic) == 0)
			return &rt_rows[i];
		if (file_serves(rt_rows[i].file, target))
			common = &rt_rows[i];
	}
	return common;
}

/* Asked for every call of every kernel: what was found is remembered, for the target asked last. */
const struct rt_row *helper_row(const char *name, const struct target *target)
{
	static const struct target *asked;
	static struct map found;
	if (target != asked)
		found = (struct map){0};
	asked = target;
	name = str_name(name);
	const struct rt_row *row = map_get(&found, name);
	if (!row && (row = row_search(name, target)))
		*map_at(&found, name) = (void *)row;
	return row;
}

bool helper_known(const char *name, const struct target *target)
{
	return helper_row(name, target) != NULL;
}

/* ---- signatures, as C writes them ---- */

static const struct { const char *c; enum scalar kind; } words[] = {
	{"bool", T_BOOL}, {"int8_t", T_I8}, {"int16_t", T_I16}, {"int32_t", T_I32},
	{"int64_t", T_I64}, {"uint8_t", T_U8},
	{"uint16_t", T_U16}, {"uint32_t", T_U32}, {"uint64_t", T_U64}, {"float", T_F32},
	{"double", T_F64}, {"int", T_I32},
	{"void", T_I32}, {"char", T_U8}, {"size_t", T_U64},
};

/* "const uint64_t *p": the type of what is declared last in the text; false: KIR has none. */
static bool declared_type(const char *text, size_t length, struct ktype *type)
{
	bool known = false;
	*type = (struct ktype){ 0 };
	for (size_t at = 0; at < length; ) {
		size_t n = 1;
		while (isalnum((unsigned char)text[at]) && at + n < length
		       && (isalnum((unsigned char)text[at + n]) || text[at + n] == '_'))
			n++;
		for (size_t i = 0; !known && i < sizeof words / sizeof *words; i++)
			if (strlen(words[i].c) == n && !strncmp(words[i].c, text + at, n)) {
				bool is_const = type->is_const;
				*type = kt_scalar(words[i].kind);
				type->is_const = is_const;
				known = true;
			}
		type->is_const |= n == 5 && !strncmp(text + at, "const", n);
		type->pointer |= text[at] == '*';
		at += n;
	}
	return known;
}

/* The line that defines it: its words before the name are not type words, but for the result's. */
int helper_signature(const char *name, const struct target *target, struct ktype *result,
                     struct ktype *param, int most)
{
	const char *text = helper_row(name, target)->text,
		   *at = strstr(text, str_print(" %s(", name));
	at = at ? at : strstr(text, str_print("*%s(", name));
	if (!at)
		return -1;
	const char *line = at;
	while (line > text && line[-1] != '\n')
		line--;
	const char *open = strchr(at, '('), *close = strchr(open, ')');
	int n = 0;
	if (!declared_type(line, (size_t)(at + 1 - line), result))
		return -1;
	if (!strncmp(open, "(void)", 6))
		return 0;
	for (const char *p = open + 1; p < close; n++) {
		size_t length = strcspn(p, ",)");
		if (n == most || !declared_type(p, length, &param[n]))
			return -1;
		p += length + 1;
	}
	return n;
}

/* Of a helper with an effect; of any other its arguments decide. */
bool helper_is_uniform(const char *name)
{
	bool uniform = false;
	for (int i = 0; rt_rows[i].file; i++)
		uniform |= rt_rows[i].uniform && strcmp(rt_rows[i].name, name) == 0;
	return uniform;
}

bool helper_has_effect(const char *name)
{
	static struct map effect;
	bool first = effect.n == 0;
	for (int i = 0; first && rt_rows[i].file; i++)
		if (rt_rows[i].effect)
			*map_at(&effect, str_name(rt_rows[i].name)) = (void *)&rt_rows[i];
	return map_get(&effect, name) != NULL;
}
