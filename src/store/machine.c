/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - machines in the store. */
#include "store/store.h"
#include "base/alloc.h"

enum ft_status ft_store_put_machine(struct ft_store *store, struct ft_machine *machine, struct ft_err *err)
{
	machine->id = 0;
	if (!machine->fingerprint || !*machine->fingerprint)
		return ft_fail(err, FT_EINVAL, "a machine without a fingerprint cannot be stored");
	return ft__exec(store, FT__PUT_MACHINE,
			FT__VALUES(ft__text(machine->fingerprint), ft__text(machine->host),
				   ft__text(machine->cpu), ft__text(machine->architecture),
				   ft__int(machine->sockets), ft__int(machine->cores),
				   ft__int(machine->threads), ft__int(machine->l1d_bytes),
				   ft__int(machine->l2_bytes), ft__int(machine->l3_bytes),
				   ft__int(machine->memory_bytes), ft__text(machine->system),
				   ft__text(machine->governor), ft__text(machine->hypervisor),
				   ft__text(machine->scheduler)),
			&machine->id, err);
}

/* As FT__GET_MACHINE has the columns. False: no memory. */
static bool read_machine(sqlite3_stmt *stmt, struct ft_machine *out)
{
	out->id = sqlite3_column_int64(stmt, 0);
	out->sockets = sqlite3_column_int(stmt, 5);
	out->cores = sqlite3_column_int(stmt, 6);
	out->threads = sqlite3_column_int(stmt, 7);
	out->l1d_bytes = sqlite3_column_int64(stmt, 8);
	out->l2_bytes = sqlite3_column_int64(stmt, 9);
	out->l3_bytes = sqlite3_column_int64(stmt, 10);
	out->memory_bytes = sqlite3_column_int64(stmt, 11);
	return ft__column_text(stmt, 1, &out->fingerprint) && ft__column_text(stmt, 2, &out->host) &&
	       ft__column_text(stmt, 3, &out->cpu) && ft__column_text(stmt, 4, &out->architecture) &&
	       ft__column_text(stmt, 12, &out->system) && ft__column_text(stmt, 13, &out->governor) &&
	       ft__column_text(stmt, 14, &out->hypervisor) && ft__column_text(stmt, 15, &out->scheduler);
}

enum ft_status ft_store_find_machine(struct ft_store *store, const char *fingerprint, int64_t *id,
				     struct ft_err *err)
{
	*id = 0;
	enum ft_status status = ft__exec(store, FT__FIND_MACHINE, FT__VALUES(ft__text(fingerprint)), id, err);
	if (!status && !*id)
		return ft_fail(err, FT_ENOENT, "the store '%s' does not know the machine %s", store->path,
			       fingerprint);
	return status;
}

/* The one machine that a query asks for; FT_EEND: there is none. */
static enum ft_status get_machine(struct ft_store *store, enum ft__sql which, int64_t id,
				  struct ft_machine *out, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, which, FT__VALUES(ft__int(id)), &stmt, err);

	*out = (struct ft_machine){0};
	if (!status)
		status = ft__row(store, stmt, err);
	if (status)
		return status;
	if (!read_machine(stmt, out))
		status = ft_nomem(err);
	else if (!out->fingerprint)
		status = ft__damaged(store, "a machine has no fingerprint", err);
	(void)sqlite3_reset(stmt);
	if (status)
		ft_machine_clear(out);
	return status;
}

enum ft_status ft_store_get_machine(struct ft_store *store, int64_t id, struct ft_machine *out,
				    struct ft_err *err)
{
	enum ft_status status = get_machine(store, FT__GET_MACHINE, id, out, err);

	if (status == FT_EEND)
		return ft_fail(err, FT_ENOENT, "the store '%s' has no machine %lld", store->path,
			       (long long)id);
	return status;
}

enum ft_status ft_store_next_machine(struct ft_store *store, int64_t after, struct ft_machine *out,
				     struct ft_err *err)
{
	enum ft_status status = get_machine(store, FT__NEXT_MACHINE, after, out, err);

	if (status || out->id > after)
		return status;
	/* Of a tree whose numbers were changed: who asks for one after the other would never come to an end.
	 */
	ft_machine_clear(out);
	return ft__damaged(store, "its machines are not in order", err);
}

enum ft_status ft_store_newest_machine(struct ft_store *store, const char *name, struct ft_machine *out,
				       struct ft_err *err)
{
	struct ft_machine next;
	int64_t after = 0;
	enum ft_status status;

	*out = (struct ft_machine){0};
	while (!(status = ft_store_next_machine(store, after, &next, err))) {
		after = next.id;
		if (ft_machine_is_called(&next, name)) {
			ft_machine_clear(out);
			*out = next;
		} else {
			ft_machine_clear(&next);
		}
	}
	if (status == FT_EEND && out->id)
		return FT_OK;
	ft_machine_clear(out);
	return status == FT_EEND
		       ? ft_fail(err, FT_ENOENT, "the store '%s' has no machine '%.100s'", store->path, name)
		       : status;
}
