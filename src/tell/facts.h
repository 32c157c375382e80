/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - records that many answers share: machines, programs, runs. */
#ifndef FT_TELL_FACTS_H
#define FT_TELL_FACTS_H

#include "foretime/store.h"
#include "tell/tell.h"

extern const struct ft_tell_record ft_tell_machine; /* struct ft_machine */
extern const struct ft_tell_record ft_tell_failing; /* struct ft_run: from its size on none ended well */

/* struct ft_program: what it is; and its params alone. */
extern const struct ft_tell_record ft_tell_program, ft_tell_params;

/* struct ft_run: who wanted a processor around it. struct ft_sample: with its resource, and after it. */
extern const struct ft_tell_record ft_tell_queue, ft_tell_sample, ft_tell_sample_by;

#define FT_TELL_OUTCOMES "done|failed|crashed|timed out|out of memory|not valid|not started|interrupted"
#define FT_TELL_LABELS   "measured|simulated|estimated|unavailable"

/* ft_tell_machine_here - the id of this machine in a store; 0: it is not there, or cannot be known. Writes
 * nothing. */
int64_t ft_tell_machine_here(struct ft_store *store);

/* ft_tell_failure_text - "timed out", "failed with status 3"; heap, ends with ft_free; NULL: no memory. */
char *ft_tell_failure_text(enum ft_outcome outcome, const struct ft_run *run, const char *detail);

#endif
