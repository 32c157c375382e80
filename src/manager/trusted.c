/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trusted.c - users whose timings are kept under the very name that they state. */
#include "base/alloc.h"
#include "manager/take.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>

/* A name, or where there is none such a number. */
static bool find_user(const char *user, uid_t *uid)
{
	char text[16384], *end;
	struct passwd entry, *found = NULL;

	if (!getpwnam_r(user, &entry, text, sizeof text, &found) && found) {
		*uid = found->pw_uid;
		return true;
	}
	if (*user < '0' || *user > '9')
		return false;
	unsigned long number = strtoul(user, &end, 10);
	*uid = (uid_t)number;
	return !*end && number < (uid_t)-1;
}

enum ft_status ft__trusted_read(struct ft__trusted *out, const char *const *user, size_t n,
				struct ft_err *err)
{
	*out = (struct ft__trusted){.uid = ft_calloc(n + 1, sizeof *out->uid)};
	if (!out->uid)
		return ft_nomem(err);
	for (; out->n < n; out->n++)
		if (!find_user(user[out->n], &out->uid[out->n])) {
			(void)ft_fail(err, FT_EINVAL, "there is no user '%s' whose timings could be trusted",
				      user[out->n]);
			ft__trusted_clear(out);
			return ft_remedy(err, "correct 'trusted' in the configuration");
		}
	return FT_OK;
}

void ft__trusted_clear(struct ft__trusted *trusted)
{
	ft_free(trusted->uid);
	*trusted = (struct ft__trusted){0};
}
