/* setting.h - NAME=VALUE on a command line (setting.c). */
#ifndef SETTING_H
#define SETTING_H

#include "base.h"

bool name_is_valid(const char *, size_t length);
bool value_is_file(const char *), value_is_raw(const char *);    /* x.npy, npy:x, x.raw, raw:x */
const char *setting_text(const char *setting);           /* as a test says it; fail_usage */

#endif
