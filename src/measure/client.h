/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - foretime's side of the talk with foretime-helper. */
#ifndef FT_MEASURE_CLIENT_H
#define FT_MEASURE_CLIENT_H

#include "foretime/status.h"
#include "measure/helper.h"

#include <signal.h>
#include <sys/types.h>

struct ft__client {
	int socket; /* -1: no helper */
	pid_t helper;
};

/* What to execute, and how; all borrowed. */
struct ft__order {
	const char *file;
	char **argv;
	unsigned flags; /* enum ft__request_flag */
	double limit_s, sample_s;
	const volatile sig_atomic_t *interrupt; /* may be NULL */
};

struct ft__answer {
	struct ft__reply reply;
	char *detail; /* as written, with a zero byte behind */
	char *report; /* the same */
};

/* ft__client_open - start a helper. Ends with ft__client_close.
 *
 * threads  > 0: children find it in OMP_NUM_THREADS and the like
 *
 * Returns FT_OK; FT_EUNAVAIL: there is none, or it does not start, or it is of another version; FT_ENOMEM.
 */
enum ft_status ft__client_open(struct ft__client *client, int threads, struct ft_err *err);
void ft__client_close(struct ft__client *client); /* twice, too */

/* ft__client_pin - "0-3,6": where children may run. FT_EINVAL: not such a list, or a processor that there is
 * not. */
enum ft_status ft__client_pin(struct ft__client *client, const char *processors, struct ft_err *err);

/* ft__client_run - execute and wait. The answer ends with ft__answer_clear; cleared on failure.
 *
 * Returns FT_OK, whatever became of the program; FT_EIO: the helper is lost; FT_ENOMEM.
 */
enum ft_status ft__client_run(struct ft__client *client, const struct ft__order *order,
			      struct ft__answer *answer, struct ft_err *err);
void ft__answer_clear(struct ft__answer *answer);

#endif
