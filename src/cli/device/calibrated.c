/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrated.c - calibrations of this machine's devices in the store: a text for each, and a list of them. */
#include "cli/device/calibrated.h"
#include "cli/common.h"
#include "cli/drivers.h"

#include <stdlib.h>
#include <string.h>

/* Under which they are kept: with no device, the names of those that have one, a line each. Heap; NULL after
 * a complaint. */
static char *key_of(const char *device)
{
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	struct ft_err err = {0};
	char *key = NULL;

	if (ft_machine_read("", &machine, &err))
		(void)cli_error(&err);
	else
		key = cli_printed("rates %s%s%s", machine.fingerprint, device ? " " : "",
				  device ? device : "");
	return key;
}

/* Heap; NULL: nothing is known under that key. */
static char *known(struct ft_store *store, const char *key)
{
	char *text = NULL;

	return !key || ft_store_get_known(store, key, &text, NULL) ? NULL : text;
}

static bool is_listed(const char *list, const char *device)
{
	size_t length = strlen(device);
	const char *at = list;

	while (at && *at) {
		if (strcspn(at, "\n") == length && !strncmp(at, device, length))
			return true;
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return false;
}

static enum ft_status put_known(struct ft_store *store, const char *all, const char *one, const char *device,
				const char *text, struct ft_err *err)
{
	CLI_OWN char *list = known(store, all), *longer = cli_printed("%s%s\n", list ? list : "", device);
	enum ft_status status = ft_store_put_known(store, one, text, err);

	if (!status && !is_listed(list, device))
		status = ft_store_put_known(store, all, longer, err);
	return status;
}

int cli_calibrated_put(const char *store_path, const char *device, const char *text)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};
	CLI_OWN char *all = key_of(NULL), *one = key_of(device);

	if (!all || !one)
		return CLI_WRONG;
	CLI_TRY(cli_store_open(&store, store_path, CLI_WRITE));
	return put_known(store, all, one, device, text, &err) ? cli_error(&err) : CLI_DONE;
}

/* ---- all of them -------------------------------------------------------------------------------------- */

static int get_files(struct cli_calibrated *out, const struct ft_field_texts *files)
{
	struct ft_err err = {0};

	if (files->n > FT_DEVICES_MAX)
		return cli_fail("%d devices at most", FT_DEVICES_MAX);
	for (size_t i = 0; i < files->n; i++) {
		if (ft_timed_read(&out->timed[i], files->text[i], &err))
			return cli_error(&err);
		out->name[i] = out->timed[i].device ? out->timed[i].device : files->text[i];
		out->n++;
	}
	return CLI_DONE;
}

/* Whether what drives it now is what drove it then. */
static bool is_as_before(const struct ft_timed *timed)
{
	CLI_OWN char *now = cli_driver_named(timed->device);
	const char *then = timed->driver ? timed->driver : "none";
	bool same = !strcmp(now ? now : "none", then);

	if (!same) {
		cli_note("the driver of '%s' is another one: it was %s, and is %s; its calibration counts no "
			 "more",
			 timed->device, then, now ? now : "none");
		cli_hint("calibrate it again: foretime device calibrate %s", timed->device);
	}
	return same;
}

static int get_one(struct cli_calibrated *out, struct ft_store *store, const char *device)
{
	struct ft_timed *timed = &out->timed[out->n];
	struct ft_err err = {0};
	CLI_OWN char *one = key_of(device), *text = known(store, one);
	int status = CLI_DONE;

	if (text && ft_timed_parse(timed, device, text, &err))
		status = cli_error(&err);
	else if (text && timed->device && is_as_before(timed))
		out->name[out->n++] = timed->device;
	else
		ft_timed_clear(timed);
	return status;
}

static int get_kept(struct cli_calibrated *out, const char *store_path)
{
	CLI_STORE struct ft_store *store = NULL;

	CLI_TRY(cli_store_open_list(&store, store_path));
	CLI_OWN char *all = store ? key_of(NULL) : NULL, *list = store ? known(store, all) : NULL;
	for (char *at = list, *end; at && *at && out->n < FT_DEVICES_MAX && (end = strchr(at, '\n'));
	     at = end + 1) {
		*end = '\0';
		CLI_TRY(get_one(out, store, at));
	}
	return CLI_DONE;
}

int cli_calibrated_get(struct cli_calibrated *out, const struct ft_field_texts *files, const char *store_path)
{
	int status = files->n ? get_files(out, files) : get_kept(out, store_path);

	if (status != CLI_DONE || out->n)
		return status;
	return cli_fail("no device of this machine is calibrated\n"
			"hint: foretime device calibrate opencl:0, once; devices of other machines by "
			"--rates FILE.csv");
}

void cli_calibrated_clear(struct cli_calibrated *calibrated)
{
	for (size_t i = 0; i < FT_DEVICES_MAX; i++)
		ft_timed_clear(&calibrated->timed[i]);
}
